/**
 * Splits a `multipart/form-data` body into its parts by name; undefined if it is malformed. Does not use
 * `Request.formData()`, which decodes parts without a file name as text, and so damages binary values.
 */
export function readMultipart(contentType: string, body: Uint8Array): Map<string, Uint8Array> | undefined {
	const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
	const boundaryText = boundary?.[1] ?? boundary?.[2];
	if (boundaryText === undefined) return undefined;
	// With a line break in front, the first boundary looks like the others.
	const bytes = Buffer.concat([Buffer.from('\r\n'), body]);
	const delimiter = Buffer.from(`\r\n--${boundaryText}`);
	const parts = new Map<string, Uint8Array>();
	let boundaryStart = bytes.indexOf(delimiter);
	while (boundaryStart >= 0) {
		const start = boundaryStart + delimiter.length;
		if (bytes.toString('latin1', start, start + 2) === '--') return parts;
		const nextBoundary = bytes.indexOf(delimiter, start);
		if (nextBoundary < 0) return undefined;
		const part = readPart(bytes.subarray(start, nextBoundary));
		if (!part) return undefined;
		parts.set(part.name, part.content);
		boundaryStart = nextBoundary;
	}
	return undefined;
}

/** Parses what follows a boundary: the rest of its line, headers, an empty line, the content. */
function readPart(part: Buffer): {name: string; content: Uint8Array} | undefined {
	const end = part.indexOf('\r\n\r\n');
	if (end < 0) return undefined;
	const headers = part.toString('utf8', 0, end);
	const disposition = /^content-disposition:[^\r\n]*?;\s*name=(?:"([^"]*)"|([^;\s]+))/im.exec(headers);
	const name = disposition?.[1] ?? disposition?.[2];
	return name === undefined ? undefined : {name, content: part.subarray(end + 4)};
}
