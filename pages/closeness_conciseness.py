"""How close each response is to its golden answer, and how concise: word for word, whatever the facts say."""

from qaviz import ui

shown = ui.open_page("Closeness vs conciseness")
filters = ui.pick_filters(shown, *ui.address.FILTERS)
thresholds = ui.pick_thresholds(shown, "high_closeness", "low_conciseness")
rows = filters.of(ui.judged_by(shown, thresholds))
ui.show_closeness(shown.run, filters, rows, thresholds)
ui.show_regions(rows, thresholds, filters.pipelines or shown.run.pipelines)
