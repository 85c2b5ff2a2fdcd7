"""Which pipeline is better, by how much, on which questions, and at what cost."""

from qaviz import ui

opened = ui.open_page("Compare")
shown = ui.over_repeats(opened)
metric = ui.pick_metric()
pair = ui.pick_pair(shown, metric)
if pair:
    ui.show_comparison(shown, pair)
    ui.show_figures(shown, pair)
    ui.show_deciding(shown, pair)
    ui.show_categories(shown, pair)
    ui.show_lacking(shown, pair)
ui.show_consistency(opened.run)
ui.show_tradeoff(shown, metric)
ui.show_policy(shown)
