/**
 * Decodes standard base64 with padding; undefined for anything else. Node's own decoder skips invalid
 * characters, and would store other bytes than were sent.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
	if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
	return Buffer.from(text, 'base64');
}
