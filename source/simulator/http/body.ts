import {attempt} from '../../text/attempt.ts';
import {type JsonValue, parseJsonText} from '../../text/json.ts';

/** Reads the body of a request; undefined as soon as it has more than `maxBytes` bytes. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
	if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
	if (!request.body) return new Uint8Array();
	const pieces: Uint8Array[] = [];
	let byteCount = 0;
	for await (const piece of request.body) {
		byteCount += piece.length;
		if (byteCount > maxBytes) return undefined;
		pieces.push(piece);
	}
	return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, byteCount);
}

/** Parses JSON; undefined if the bytes are not JSON in UTF-8. */
export const parseJsonBytes = (bytes: Uint8Array): JsonValue | undefined =>
	attempt(() => parseJsonText(new TextDecoder('utf-8', {fatal: true}).decode(bytes)));
