/**
 * Encodes items as one JSON array in UTF-8, like `JSON.stringify`. Encodes each item separately into memory
 * outside the heap: one string of megabytes would stay in memory until the next full collection.
 */
export function encodeJsonList(items: readonly unknown[]): Uint8Array {
	const texts = items.map(item => JSON.stringify(item));
	const bytes = Buffer.allocUnsafe(
		texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, items.length > 0 ? 1 : 2),
	);
	let length = bytes.write('[');
	for (const [index, text] of texts.entries()) {
		if (index > 0) length += bytes.write(',', length);
		length += bytes.write(text, length);
	}
	bytes.write(']', length);
	return bytes;
}
