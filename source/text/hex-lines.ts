/** One row of a value shown byte by byte. It is plain ASCII, whatever the bytes are. */
type HexRow = {
	/** Of the row's first byte, in at least eight hex digits. */
	readonly offset: string;
	/** The bytes as pairs of hex digits with spaces between, in two halves; a short last row has shorter ones. */
	readonly groups: readonly [string, string];
	/** One character a byte: printable ASCII as it is, everything else a dot. */
	readonly ascii: string;
};

/** How many rows the bytes take; 0 for none. */
export const hexRowCount = (size: number, perRow: number): number => Math.ceil(size / perRow);

/** The row that shows the byte at an offset. */
export const hexRowOf = (offset: number, perRow: number): number => Math.floor(offset / perRow);

/** Columns that a full half of a row takes, so that short rows can be aligned: `perRow` is even. */
export const hexGroupColumns = (perRow: number): number => (perRow / 2) * 3 - 1;

/** A row, from 0, of `perRow` bytes (an even number). */
export function hexRow(bytes: Uint8Array, row: number, perRow: number): HexRow {
	const start = row * perRow;
	const shown = bytes.subarray(start, start + perRow);
	const pairs = Array.from(shown, byte => byte.toString(16).padStart(2, '0'));
	const half = perRow / 2;
	return {
		offset: start.toString(16).padStart(8, '0'),
		groups: [pairs.slice(0, half).join(' '), pairs.slice(half).join(' ')],
		ascii: Array.from(shown, printable).join(''),
	};
}

const printable = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.');
