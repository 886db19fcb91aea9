import {type JsonValue, parseJsonText} from '../../text/json.ts';

/** The body of a request, or `undefined` as soon as it turns out to have more than `most` bytes. */
export async function readBody(request: Request, most: number): Promise<Uint8Array | undefined> {
	if (Number(request.headers.get('content-length') ?? 0) > most) return undefined;
	if (!request.body) return new Uint8Array();
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of request.body) {
		bytes += piece.length;
		if (bytes > most) return undefined;
		pieces.push(piece);
	}
	return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, bytes);
}

/** The JSON that the bytes are, `undefined` if they are none or not UTF-8. */
export function parseJson(bytes: Uint8Array): JsonValue | undefined {
	try {
		return parseJsonText(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
	} catch {
		return undefined;
	}
}
