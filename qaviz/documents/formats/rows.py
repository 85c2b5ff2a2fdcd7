"""A table's rows as lines that can be read, and asked about, without the table around them."""

from collections.abc import Iterable, Iterator, Sequence

from qaviz.documents.blocks import Block, Kind

CELLS = " | "


def table_rows(rows: Iterable[Sequence[str]], page: int | None = None) -> Iterator[Block]:
    """One block a row that is not empty: `Region: Europe | 2023: 131`.

    The first row names the columns where each of its cells but the first is filled and no two are the same; otherwise
    rows are their cells.
    """
    filled = ([" ".join(cell.split()) for cell in row] for row in rows)
    filled = (row for row in filled if any(row))
    first = next(filled, None)
    if first is None:
        return
    names = first if _is_header(first) else None
    if names is None:
        yield _row(first, None, page)
    below = False
    for row in filled:
        below = True
        yield _row(row, names, page)
    if names is not None and not below:
        yield _row(first, None, page)


def _is_header(row: Sequence[str]) -> bool:
    named = row[1:]
    return len(row) > 1 and all(named) and len(set(row)) == len(row)


def _row(row: Sequence[str], names: Sequence[str] | None, page: int | None) -> Block:
    named = [name for name, _ in zip(names or (), row, strict=False)]
    named += [""] * (len(row) - len(named))
    cells = (f"{name}: {cell}" if name else cell for name, cell in zip(named, row, strict=True) if cell)
    return Block(kind=Kind.ROW, text=CELLS.join(cells), page=page)
