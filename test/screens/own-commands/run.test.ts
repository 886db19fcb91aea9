import {chmodSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {bindPreferences} from '../../../source/screens/bind-preferences.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {withPaletteRoute} from '../../../source/screens/palette-routes.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {screens} from '../../../source/store/screens.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {createEditingPerson} from '../support/editing.ts';
import {createTestStore} from '../support/store.ts';

/** Opens a key of CONFIG, or puts the cursor on it, with one command on f9. */
async function openKey(
	settings: string,
	{
		name = 'motd',
		value,
		where = 'key',
		options = {},
		variables = {},
	}: {
		name?: string;
		value?: string;
		where?: 'key' | 'keys';
		options?: SessionOptions;
		variables?: Readonly<Record<string, string>>;
	} = {},
) {
	const test = createTestStore(
		{simulate: true, ...options},
		{variables: {PATH: process.env.PATH ?? '', ...variables}},
	);
	const {state, store, until, signal, folder} = test;
	await state().connection.loadConnection();
	await test.openNamespace('CONFIG');
	if (value !== undefined) await state().keys.data?.opened.store.put(name, Buffer.from(value), {}, signal);
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	const person = createEditingPerson(test);
	await person.openKey(name);
	if (where === 'keys') {
		state().navigation.back();
		state().keys.noticeChanges([{name}]);
		state().keys.filter(name);
	}
	const preferences = await parsePreferences(
		`[[commands]]\ntitle = "Test"\nkey = "f9"\n${settings.replaceAll('FOLDER', folder)}\n`,
		'config.toml',
	);
	const bindings = bindPreferences(actions, preferences, {screens, complete: withPaletteRoute});
	expect([...preferences.problems, ...bindings.problems]).toEqual([]);
	let handovers = 0;
	const terminal = {
		handOver: (work: () => Promise<unknown>) => {
			handovers++;
			return work();
		},
	};
	const app = {store, state, actions: bindings.actions, terminal} as unknown as App;
	const press = (key: string) => dispatch(app, createKey(key, key));
	/** The arguments that the program `record` has got. */
	const readArguments = (): unknown => JSON.parse(readFileSync(join(folder, 'arguments'), 'utf8'));
	const record = join(folder, 'record');
	writeFileSync(
		record,
		`#!${process.execPath}\nconst fs = require('node:fs');
const files = process.argv.slice(2).filter(one => one.startsWith('/')).map(one => [fs.statSync(one).mode & 0o777, fs.readFileSync(one, 'latin1')]);
fs.writeFileSync('${folder}/arguments.new', JSON.stringify({arguments: process.argv.slice(2), files, env: process.env}));
fs.renameSync('${folder}/arguments.new', '${folder}/arguments');\n`,
	);
	chmodSync(record, 0o700);
	return {
		...test,
		person,
		app,
		press,
		readArguments,
		countHandovers: () => handovers,
		listFiles: () =>
			existsSync(join(folder, 'state/commands')) ? readdirSync(join(folder, 'state/commands')) : [],
		async ended() {
			await until(
				({ownCommands, messages}) => ownCommands.running.length === 0 && messages.latest !== undefined,
			);
			return state().messages.latest?.text;
		},
	};
}

const recording = (...words: readonly string[]) =>
	`command = ${JSON.stringify(['FOLDER/record', ...words])}\noutput = "none"`;

const hostileTexts = [
	'$(touch pwned)',
	'`touch pwned`',
	'; touch pwned',
	'\'"\\',
	'a b\tc',
	'line\nfeed\r\n',
	'*',
	'{key}',
	'{prompt:Name}',
	'%s%n',
	'\u001b]0;title\u0007',
	'\u202eabc',
	'🏁 ü',
	' ',
];

describe('injection', () => {
	test.each(hostileTexts)('the name of a key is one argument, as it is: %j', async name => {
		const {press, ended, readArguments, folder} = await openKey(recording('{key}', 'end'), {
			name,
			value: 'x',
		});
		press('f9');
		expect(await ended()).toBe('Test: done.');
		expect(readArguments()).toMatchObject({arguments: [name, 'end']});
		expect(existsSync(join(folder, 'pwned'))).toBe(false);
	});

	test.each(
		hostileTexts.filter(text => !/[\r\n]/.test(text)),
	)('an answer is one argument, as it is: %j', async text => {
		const {press, ended, state, readArguments, folder} = await openKey(recording('{prompt:Text}', 'end'));
		press('f9');
		expect(state().dialog.current).toMatchObject({kind: 'field', title: 'Test', lines: ['Text']});
		state().dialog.setText(text);
		state().dialog.submit();
		await ended();
		expect(readArguments()).toMatchObject({arguments: [text, 'end']});
		expect(existsSync(join(folder, 'pwned'))).toBe(false);
	});

	test.each(hostileTexts)('a value is only in its file, byte for byte: %j', async text => {
		const {press, ended, readArguments, listFiles} = await openKey(recording('{value_file}'), {value: text});
		press('f9');
		await ended();
		expect(readArguments()).toMatchObject({
			arguments: [expect.stringMatching(/\/state\/commands\/[\w-]+\/value\.\w+$/)],
			files: [[0o600, Buffer.from(text).toString('latin1')]],
		});
		expect(listFiles()).toEqual([]);
	});

	test('a value of 10 MB is in its file', async () => {
		const {press, ended, readArguments, listFiles} = await openKey(
			'command = ["sh", "-c", "wc -c < \\"$1\\"", "sh", "{value_file}"]',
			{value: 'x'.repeat(10_000_000)},
		);
		press('f9');
		expect(await ended()).toMatch(/^Test: +10000000$/);
		expect(listFiles()).toEqual([]);
		expect(readArguments).toThrow();
	});

	test('an answer of 10 MB is refused where it is typed', async () => {
		const {press, state} = await openKey(recording('{prompt:Text}'));
		press('f9');
		for (const text of ['x'.repeat(10_000_000), '文'.repeat(40_000)]) {
			state().dialog.setText(text);
			state().dialog.submit();
			expect(state().dialog.current).toMatchObject({problem: expect.stringContaining('at most 100000')});
		}
	});

	test('the title of the namespace is one argument', async () => {
		const {press, ended, readArguments} = await openKey(recording('{namespace}'));
		press('f9');
		await ended();
		expect(readArguments()).toMatchObject({arguments: ['CONFIG']});
	});

	test('selected keys are in a JSON list, whatever their names are', async () => {
		const {press, ended, readArguments, state} = await openKey(recording('{selected_file}'), {
			name: 'a"\n\u001b',
			value: '1',
			where: 'keys',
		});
		state().keys.filter('');
		state().keys.selectOnly(['a"\n\u001b', 'motd']);
		press('f9');
		await ended();
		const {files} = readArguments() as {files: [number, string][]};
		expect(files[0]?.[0]).toBe(0o600);
		expect(JSON.parse(files[0]?.[1] ?? '')).toEqual(['a"\n\u001b', 'motd']);
	});
});

describe('a value that begins with "-"', () => {
	test('is refused: it could become an option', async () => {
		const {press, state, readArguments} = await openKey(recording('{key}'), {name: '--output=x', value: '1'});
		press('f9');
		expect(state().messages.latest).toMatchObject({
			kind: 'failed',
			text: '"Test" was not started because of {key}.',
			failure: {details: {why: expect.stringContaining('write "--" before it')}},
		});
		expect(readArguments).toThrow();
	});

	test('is an argument after "--"', async () => {
		const {press, ended, readArguments} = await openKey(recording('--', '{key}'), {
			name: '--output=x',
			value: '1',
		});
		press('f9');
		await ended();
		expect(readArguments()).toMatchObject({arguments: ['--', '--output=x']});
	});

	test('is refused where it is typed', async () => {
		const {press, state} = await openKey(recording('{prompt:Text}'));
		press('f9');
		state().dialog.setText('-rf');
		state().dialog.submit();
		expect(state().dialog.current).toMatchObject({problem: expect.stringContaining('begins with "-"')});
	});
});

describe('output', () => {
	test('becomes the new value, which is reviewed before it is written', async () => {
		const {press, until, person, state, signal} = await openKey(
			`command = ["sh", "-c", 'tr a-z A-Z < "$1"; echo', "sh", "{value_file}"]\noutput = "value"`,
			{value: 'abc'},
		);
		press('f9');
		await until(({review: {data: review}}) => review?.phase === 'asking');
		expect(state().navigation.stack.at(-1)).toBe('review');
		const read = async () =>
			Buffer.from((await state().keys.data?.opened.store.get('motd', signal))?.bytes ?? []).toString();
		expect(await read()).toBe('abc');
		await person.choose('write');
		// The line end that programs add is removed, as for $EDITOR.
		expect(await read()).toBe('ABC');
	});

	test('that equals the value changes nothing', async () => {
		const {press, ended, state} = await openKey('command = ["cat", "{value_file}"]\noutput = "value"', {
			value: 'abc',
		});
		press('f9');
		expect(await ended()).toBe('The output of "Test" already matches the stored value: nothing to write.');
		expect(state().edits.list).toEqual([]);
	});

	test('of a failed program proposes nothing', async () => {
		const {press, ended, state} = await openKey(
			'command = ["sh", "-c", "echo new; echo why >&2; exit 7"]\noutput = "value"',
		);
		press('f9');
		expect(await ended()).toBe('"Test" exited with 7.');
		expect(state().messages.latest).toMatchObject({failure: {code: 'command_failed', details: {why: 'why'}}});
		expect([state().edits.list, state().review.data]).toEqual([[], undefined]);
	});

	test('beyond the limit of a value proposes nothing', async () => {
		const {press, ended, state} = await openKey(
			'command = ["head", "-c", "26214401", "/dev/zero"]\noutput = "value"',
		);
		press('f9');
		expect(await ended()).toContain('it printed more than 26214400 bytes');
		expect(state().edits.list).toEqual([]);
	});

	test('proposes nothing over an unsaved edit', async () => {
		const {press, person, state} = await openKey('command = ["date"]\noutput = "value"');
		person.editValue();
		person.press('typed');
		state().edits.leave();
		press('f9');
		expect(state().messages.latest?.text).toContain('this key has an unsaved edit');
	});

	test('is one line on the status line, without styles', async () => {
		const {press, ended} = await openKey('command = ["printf", "\\\\n\\\\033[31mred\\\\033[0m\\\\nmore"]');
		press('f9');
		expect(await ended()).toBe('Test: red');
	});

	test('is shown in the pager without styles, at most 10 MiB', async () => {
		const paged = join(createScratchFolder(), 'paged');
		const {press, ended, countHandovers} = await openKey(
			`command = ["sh", "-c", 'printf "a\\033[1mb\\033[0m\\200\\n"; head -c 12000000 /dev/zero | tr "\\000" x']\noutput = "pager"`,
			{variables: {PAGER: `dd of=${paged} status=none`}},
		);
		press('f9');
		expect(await ended()).toBe('Test: done.');
		expect(countHandovers()).toBe(1);
		const text = readFileSync(paged, 'utf8');
		expect(text.slice(0, 10)).toMatch(/^ab.*\nx/s);
		expect(text).toContain('[The output is longer than 10485760 bytes; the rest was dropped.]');
		expect(text.length).toBeLessThan(11_000_000);
	});
});

test('output of 10 MiB of unfinished sequences is shown', async () => {
	const paged = join(createScratchFolder(), 'paged');
	const {press, ended} = await openKey(
		`command = ["sh", "-c", 'yes "$(printf "\\\\033];a\\\\033[1;")" | head -c 12000000']\noutput = "pager"`,
		{variables: {PAGER: `dd of=${paged} status=none`}},
	);
	press('f9');
	expect(await ended()).toBe('Test: done.');
	expect(readFileSync(paged, 'utf8')).toMatch(/^\n\n\n/);
});

describe('a running command', () => {
	test('is stopped by ctrl-x, and does not run twice', async () => {
		const {press, until, state, ended} = await openKey('command = ["sleep", "1000"]');
		press('f9');
		await until(({ownCommands: {running}}) => running.length === 1);
		press('f9');
		expect(state().messages.latest?.text).toBe('Can\'t run "Test": it is still running: ctrl-x stops it.');
		press('ctrl-x');
		expect(await ended()).toBe('Stopped: Test.');
	});

	test.each([
		['goes on when its screen is left', 'status', true],
		['is stopped when its screen is left, if its output belongs there', 'pager', false],
	])('%s', async (_, output, continues) => {
		const {press, until, state} = await openKey(`command = ["sleep", "1000"]\noutput = "${output}"`);
		press('f9');
		await until(({work: {list}}) => list.some(({label}) => label === 'Test'));
		state().work.cancelReads();
		if (!continues) await until(({ownCommands: {running}}) => running.length === 0);
		expect(state().ownCommands.running.length).toBe(continues ? 1 : 0);
		state().ownCommands.stop();
		await until(({ownCommands: {running}}) => running.length === 0);
	});

	test('is stopped after its time limit', async () => {
		const {press, ended} = await openKey('command = ["sleep", "1000"]\ntimeout = 1');
		press('f9');
		expect(await ended()).toBe('"sleep" was stopped: it took longer than 1 s.');
	});
});

describe('before it runs', () => {
	test('it asks, with the command line', async () => {
		const {press, state, readArguments, ended} = await openKey(
			`${recording('{key}', '{value_file}', 'a b')}\nconfirm = true`,
		);
		press('f9');
		expect(state().dialog.current).toMatchObject({
			kind: 'confirm',
			title: 'Run "Test"?',
			lines: [expect.stringMatching(/\/record motd \{value_file\} 'a b'$/)],
		});
		expect(readArguments).toThrow();
		state().dialog.submit();
		await ended();
		expect(readArguments()).toMatchObject({arguments: ['motd', expect.any(String), 'a b']});
	});

	test('nothing runs while ledge is read-only, unless it only reads', async () => {
		const refused = await openKey(recording('{key}'), {options: {readOnly: true}});
		refused.press('f9');
		expect(refused.state().messages.latest?.text).toBe('Can\'t run "Test": ledge is read-only.');
		const reading = await openKey(`${recording('{key}')}\nread_only = true`, {options: {readOnly: true}});
		reading.press('f9');
		await reading.ended();
		expect(reading.readArguments()).toMatchObject({env: {LEDGE_READ_ONLY: '1'}});
	});

	test('it needs a key, and no other selection', async () => {
		const {press, state} = await openKey(recording('{key}'), {where: 'keys'});
		state().keys.filter('');
		state().keys.selectOnly(['site', 'features']);
		press('f9');
		expect(state().messages.latest?.text).toBe(
			'Can\'t run "Test": it is done for one key; esc clears the selection.',
		);
		state().keys.filter('no such key');
		press('f9');
		expect(state().messages.latest?.text).toBe('Can\'t run "Test": the cursor is not on a key.');
	});

	test('it gets no credential unless its entry names the variable', async () => {
		const variables = {CLOUDFLARE_API_TOKEN: 'secret-token', CF_API_KEY: 'secret-key'};
		const without = await openKey(recording(), {variables});
		without.press('f9');
		await without.ended();
		expect(JSON.stringify(without.readArguments())).not.toContain('secret-');
		const having = await openKey(`${recording()}\nenv = ["CLOUDFLARE_API_TOKEN"]`, {variables});
		having.press('f9');
		await having.ended();
		expect(having.readArguments()).toMatchObject({env: {CLOUDFLARE_API_TOKEN: 'secret-token'}});
		expect(JSON.stringify(having.readArguments())).not.toContain('secret-key');
	});
});

test('in the foreground it gets the terminal', async () => {
	const {press, ended, countHandovers, state} = await openKey(
		'command = ["sh", "-c", "exit 5"]\nforeground = true\noutput = "none"',
	);
	press('f9');
	expect(await ended()).toBe('"Test" exited with 5.');
	expect([countHandovers(), state().messages.latest?.kind]).toEqual([1, 'failed']);
});
