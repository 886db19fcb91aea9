import {PassThrough} from 'node:stream';
import {Box, render, Text} from 'ink';
import TextInput from 'ink-text-input';
import {type ReactNode, useState} from 'react';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {Select} from '../../source/components/menu.tsx';
import {createInkStdin} from '../../source/keyboard/ink-stdin.ts';
import type {Key} from '../../source/keyboard/key.ts';
import {createSplitter} from '../../source/keyboard/splitter.ts';
import {eventually} from '../support/eventually.ts';

const unmountFunctions: (() => void)[] = [];
afterEach(() => {
	for (const unmount of unmountFunctions.splice(0)) unmount();
});

/** Renders as ledge does, to a discarded output. Returns a function that types a text. */
function draw(tree: ReactNode) {
	const {stream, send} = createInkStdin();
	const stdout = Object.assign(new PassThrough(), {columns: 80, rows: 24, isTTY: true});
	stdout.resume();
	const {unmount} = render(tree, {
		stdin: stream,
		stdout,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
	});
	unmountFunctions.push(unmount);
	return (text: string) => {
		for (const key of keysOf(text)) send(key);
	};
}

function keysOf(text: string): Key[] {
	const splitter = createSplitter();
	return [...splitter.push(Buffer.from(text)), ...splitter.flush()];
}

const rows = ['first', 'second', 'third', 'fourth', 'fifth'].map(label => ({label, value: label}));

describe('a burst of keys in one chunk', () => {
	test.each([
		['\u001b[B\u001b[B\u001b[B\r', 'fourth'],
		['\u001b[B\r', 'second'],
		['jj\r', 'third'],
		['jjjkk\n', 'second'],
		['\u001bOB\u001bOB\u001b[A\r', 'second'],
		['\u001b[57420u\u001b[13u', 'second'],
		// The cursor does not wrap around at the ends of a menu.
		['k\r', 'first'],
		['\u001b[A\u001b[Aj\r', 'second'],
		['jjjjjjj\r', 'fifth'],
		['jjjjjk\r', 'fourth'],
		['G\r', 'fifth'],
		['Gk\r', 'fourth'],
		['jjg\r', 'first'],
		['\u001b[Fk\u001b[H\u001b[B\r', 'second'],
	])('%j chooses the same row as separate keys would', async (burst, chosen) => {
		const onSelect = vi.fn();
		const type = draw(<Select items={rows} onSelect={({value}) => onSelect(value)} />);
		type(burst);
		await eventually(() => expect(onSelect.mock.calls).toEqual([[chosen]]));
	});

	test.each([
		['ab\u007fc', 'ac'],
		['abc\u001b[D\u001b[Dx', 'axbc'],
		['one two', 'one two'],
		['a\u001b[D\u001b[D\u001b[Db', 'ba'],
		['\u001b[200~pasted\rtext\r\u001b[201~!', 'pasted text!'],
		['1\u001b[3~2é👩‍👩‍👧', '2é👩‍👩‍👧'],
	])('%j types every letter in order', async (burst, typed) => {
		const onSubmit = vi.fn();
		function Field() {
			const [value, setValue] = useState('');
			return <TextInput value={value} onChange={setValue} onSubmit={onSubmit} />;
		}
		const type = draw(<Field />);
		type(`${burst}\r`);
		await eventually(() => expect(onSubmit.mock.calls).toEqual([[typed]]));
	});
});

describe('an Ink field', () => {
	function createHiddenField() {
		const changes: string[] = [];
		let show: (isShown: boolean) => void = () => {};
		function Screen() {
			const [isShown, setShown] = useState(false);
			const [value, setValue] = useState('');
			show = setShown;
			const change = (next: string) => {
				changes.push(next);
				setValue(next);
			};
			return <Box>{isShown ? <TextInput value={value} onChange={change} /> : <Text>nothing</Text>}</Box>;
		}
		return {changes, type: draw(<Screen />), show: (isShown: boolean) => show(isShown)};
	}

	test('gets keys typed in the same burst as the key that opened it', async () => {
		const {changes, type, show} = createHiddenField();
		show(true);
		type('ab');
		await eventually(() => expect(changes).toEqual(['a', 'ab']));
	});

	test('gets nothing that was typed before it existed', async () => {
		const {changes, type, show} = createHiddenField();
		type('lost');
		for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
		show(true);
		type('x');
		await eventually(() => expect(changes).toEqual(['x']));
	});

	test('gets no letter from keys with ctrl or alt, which ink-text-input would type', async () => {
		const {changes, type, show} = createHiddenField();
		show(true);
		type('\u0001\u0017\u001bb\u001b[15~\u001b[1;5Cz');
		await eventually(() => expect(changes).toEqual(['z']));
	});
});

test('Esc is one key, and does not swallow the letter after it', async () => {
	const {useInput} = await import('ink');
	const seen: string[] = [];
	function Listener() {
		useInput((input, key) => void seen.push(key.escape ? 'escape' : key.meta ? `meta ${input}` : input));
		return <Text>listening</Text>;
	}
	const {stream, send} = createInkStdin();
	const stdout = Object.assign(new PassThrough(), {columns: 80, rows: 24, isTTY: true});
	stdout.resume();
	unmountFunctions.push(
		render(<Listener />, {stdin: stream, stdout, patchConsole: false, interactive: true}).unmount,
	);
	send({name: 'esc', text: '', sequence: '\u001b'});
	send({name: 'a', text: 'a', sequence: 'a'});
	await eventually(() => expect(seen).toEqual(['escape', 'a']));
});

test('raw mode requested by Ink is kept on the stream', () => {
	const {stream} = createInkStdin();
	expect(stream.isRaw).toBe(false);
	stream.setRawMode(true);
	expect(stream.isRaw).toBe(true);
});
