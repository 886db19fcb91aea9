import {execFile, execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {formatCurlLine} from '../../source/service/curl.ts';
import type {JsonValue} from '../../source/text/json.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** File names and metadata that curl would interpret if they were not quoted. */
const awkwardFiles: readonly (readonly [file: string, metadata: JsonValue])[] = [
	['v;al,1.txt', {a: 'x;type=text/html'}],
	['a"b\\c.bin', '@f'],
	["it's $HOME `x`.bin", {n: 'ü"\\\r\n;filename=x'}],
	['value.bin', ['<f', 1, null]],
];

const formatLine = (file: string, metadata: JsonValue, baseUrl: string) =>
	formatCurlLine(
		{
			method: 'PUT',
			path: '/values/k',
			body: {kind: 'value', bytes: Buffer.alloc(0), metadata, file},
			repeat: 'always',
			writes: true,
		},
		baseUrl,
		[],
	);

describe('the curl line of a value with metadata', () => {
	test.each(
		awkwardFiles,
	)('quotes the file %j for curl, and passes metadata that curl does not interpret', (file, metadata) => {
		const line = formatLine(file, metadata, 'http://service.test');
		const words = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`])
			.toString()
			.split('\0');
		const quotedFile = /^value=@"((?:[^"\\]|\\["\\])*)"$/.exec(words[words.indexOf('-F') + 1] ?? '')?.[1];
		expect(quotedFile?.replace(/\\(.)/g, '$1')).toBe(file);
		const text = words[words.indexOf('--form-string') + 1] ?? '';
		expect(JSON.parse(text.replace(/^metadata=/, ''))).toEqual(metadata);
	});
});

describe.runIf(hasCurl)('the executed curl line', () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	let sent: Promise<FormData> | undefined;
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on('data', piece => pieces.push(piece));
		request.on('end', () => {
			const headers = {'content-type': request.headers['content-type'] ?? ''};
			sent = new Response(Buffer.concat(pieces), {headers}).formData();
			response.end();
		});
	});

	beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
	afterAll(() => {
		server.close();
		rmSync(folder, {recursive: true});
	});

	test.each(awkwardFiles)('sends the file %j and its metadata as ledge does', async (file, metadata) => {
		const value = Buffer.from([0, 13, 10, 255]);
		writeFileSync(join(folder, file), value);
		const line = formatLine(file, metadata, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
		await promisify(execFile)('sh', ['-c', line], {cwd: folder});
		const form = await sent;
		const field = form?.get('value');
		expect(field instanceof Blob && Buffer.from(await field.arrayBuffer())).toEqual(value);
		expect(JSON.parse(String(form?.get('metadata')))).toEqual(metadata);
	});
});
