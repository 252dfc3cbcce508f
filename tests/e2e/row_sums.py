"""The checksums of rows in SQLite (src/store/rows/row_sum.h). They guard against accidents, not against somebody who computes them."""


def row_sum(table, *columns):
    """Numbers, texts and None, in the order of the schema."""
    value = 0xCBF29CE484222325
    for byte in b"".join(map(_bytes, (table, *columns))):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value if value < 2**63 else value - 2**64


def _bytes(column):
    if column is None:
        return b"n"
    if isinstance(column, int):
        return b"i" + (column % 2**64).to_bytes(8, "little")
    text = column.encode()
    return b"t" + _bytes(len(text)) + text


def set_sums(database, table):
    """Of all rows, by what they hold now."""
    for rowid, *columns, _ in database.execute(f"SELECT rowid, * FROM {table}").fetchall():
        database.execute(f"UPDATE {table} SET sum = ? WHERE rowid = ?", (row_sum(table, *columns), rowid))
