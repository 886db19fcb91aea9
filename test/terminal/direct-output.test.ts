import {execFileSync} from 'node:child_process';
import {closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openDirectOutput} from '../../source/terminal/direct-output.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-direct-'));
});
afterEach(() => rmSync(folder, {recursive: true}));

const failOnOpen = () => {
	throw new Error('Node’s stream was opened.');
};

test('output to a file is written at once, without a Node stream', () => {
	const file = join(folder, 'file');
	const descriptor = openSync(file, 'w');
	const output = openDirectOutput(descriptor, failOnOpen);
	expect(output.isTTY).toBeUndefined();
	expect(output.write('grüß ')).toBe(true);
	expect(output.write(Buffer.from([0, 255]))).toBe(true);
	expect(readFileSync(file)).toEqual(Buffer.concat([Buffer.from('grüß '), Buffer.from([0, 255])]));
	closeSync(descriptor);
});

test('a failed write is an error of the output after the call has returned', async () => {
	const descriptor = openSync(join(folder, 'file'), 'w');
	const output = openDirectOutput(descriptor, failOnOpen);
	closeSync(descriptor);
	const {promise, resolve} = Promise.withResolvers<NodeJS.ErrnoException>();
	let hasReturned = false;
	output.on('error', error => {
		expect(hasReturned).toBe(true);
		resolve(error);
	});
	output.write('lost');
	hasReturned = true;
	expect((await promise).code).toBe('EBADF');
});

test('a full non-blocking pipe is left to the Node stream, without a gap', async () => {
	const pipe = join(folder, 'pipe');
	execFileSync('mkfifo', [pipe]);
	const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
	const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
	const stream = new PassThrough();
	const output = openDirectOutput(writer, () => stream);
	const lines = Array.from({length: 20_000}, (_, number) => `line ${number}\n`);
	let mustWait = false;
	for (const line of lines) mustWait = !output.write(line) || mustWait;
	expect(mustWait).toBe(true);
	const drained = new Promise(resolve => output.once('drain', resolve));
	const rest = text(stream);
	await drained;
	stream.end();
	const first = Buffer.alloc(1 << 20);
	const length = readSync(reader, first);
	expect(length).toBeGreaterThan(0);
	expect(first.toString('utf8', 0, length) + (await rest)).toBe(lines.join(''));
	closeSync(reader);
	closeSync(writer);
});

test('a descriptor that is neither a file nor a pipe uses the Node stream', () => {
	const stream = new PassThrough();
	const descriptor = openSync('/dev/null', 'w');
	expect(openDirectOutput(descriptor, () => stream)).toBe(stream);
	closeSync(descriptor);
	expect(openDirectOutput(descriptor, () => stream)).toBe(stream);
});
