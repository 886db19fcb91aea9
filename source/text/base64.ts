/**
 * The bytes of standard base64 with its padding, `undefined` for anything else: Node's own decoder skips what
 * it does not know, and would store something nobody has sent.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
	if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
	return Buffer.from(text, 'base64');
}
