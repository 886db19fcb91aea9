/** A row of a hex dump; always plain ASCII. */
type HexRow = {
	/** The offset of the row's first byte, in at least eight hex digits. */
	readonly offset: string;
	/** The bytes as pairs of hex digits separated by spaces, in two halves; the last row may be shorter. */
	readonly groups: readonly [string, string];
	/** One character per byte: printable ASCII, or a dot. */
	readonly ascii: string;
};

export const countHexRows = (size: number, bytesPerRow: number): number => Math.ceil(size / bytesPerRow);

/** Returns the index of the row that contains an offset. */
export const getHexRowIndex = (offset: number, bytesPerRow: number): number =>
	Math.floor(offset / bytesPerRow);

/** Returns the columns of a full half of a row, to align short rows; `bytesPerRow` is even. */
export const getHexGroupColumns = (bytesPerRow: number): number => (bytesPerRow / 2) * 3 - 1;

/** Builds a row of `bytesPerRow` bytes, an even number. */
export function buildHexRow(bytes: Uint8Array, rowIndex: number, bytesPerRow: number): HexRow {
	const start = rowIndex * bytesPerRow;
	const rowBytes = bytes.subarray(start, start + bytesPerRow);
	const pairs = Array.from(rowBytes, byte => byte.toString(16).padStart(2, '0'));
	const half = bytesPerRow / 2;
	return {
		offset: start.toString(16).padStart(8, '0'),
		groups: [pairs.slice(0, half).join(' '), pairs.slice(half).join(' ')],
		ascii: Array.from(rowBytes, formatAsciiByte).join(''),
	};
}

const formatAsciiByte = (byte: number): string =>
	byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
