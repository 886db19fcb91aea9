import {EventEmitter} from 'node:events';
import {setImmediate as turn} from 'node:timers/promises';
import {stripVTControlCharacters} from 'node:util';
import {render} from 'ink';
import stringWidth from 'string-width';
import {describe, expect, onTestFinished, test} from 'vitest';
import {themeOf} from '../../source/components/theme.ts';
import {createInkStdin} from '../../source/keyboard/ink-stdin.ts';
import {pressed, typed} from '../../source/keyboard/key.ts';
import {Root} from '../../source/screens/app.tsx';
import {dispatch} from '../../source/screens/dispatch.ts';
import {lookFurther} from '../../source/screens/home/actions.ts';
import {lookingTime} from '../../source/screens/review/state.ts';
import {keyBytes} from '../terminal/screen/keys.ts';
import {appOf} from './support/drawn.tsx';
import {createTestStore} from './support/store.ts';

const sizes = [
	[60, 15],
	[80, 24],
	[200, 60],
] as const;

/** With its zone named, the areas of a zone open it at once. */
const inAcme = 'acme.example';

type Place = {
	readonly zone?: string;
	/** What to press, and between keys what has to have been looked at before the next one counts. */
	readonly keys: readonly (string | RegExp)[];
	/** What is then to be seen at every size. */
	readonly shows: RegExp;
};

/** Ways to each screen and dialog. */
const places: Readonly<Record<string, Place>> = {
	home: {keys: [], shows: /Activity/},
	namespaces: {keys: ['enter'], shows: /catalogue/},
	metrics: {keys: ['enter', 'down', 'm'], shows: /Operations/},
	'odd names': {keys: ['enter', 'end', 'enter'], shows: /\d+ keys?\b/},
	keys: {keys: ['enter', 'down', 'enter'], shows: /480 keys/},
	filter: {keys: ['enter', 'down', 'enter', '/', '4'], shows: /\/ 4/},
	key: {keys: ['enter', 'enter', 'enter'], shows: /JSON/},
	'key as text': {keys: ['enter', 'enter', 'enter', /tab text/, 'tab'], shows: /JSON as text/},
	'key as hex': {keys: ['enter', 'enter', 'enter', /tab text/, 'tab', 'tab'], shows: /hex/},
	'odd key': {keys: ['enter', 'end', 'enter', 'end', 'enter'], shows: /bytes ·/},
	'edit of a field': {keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7'], shows: /ctrl-s/},
	'edit of a text': {keys: ['enter', 'enter', 'down', 'enter', 'tab', 'e', '7'], shows: /ctrl-s/},
	metadata: {keys: ['enter', 'enter', 'enter', /tab text/, 'm'], shows: /is a JSON object/},
	expiry: {keys: ['enter', 'enter', 'enter', /tab text/, 'T'], shows: /A span such as/},
	'new key': {keys: ['enter', 'enter', 'n'], shows: /key/i},
	review: {keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7', 'ctrl-s'], shows: /Write it/},
	'the request of a review': {
		keys: ['enter', 'enter', 'down', 'enter', 'down', 'e', '7', 'ctrl-s', 'r'],
		shows: /PUT/,
	},
	'delete key': {keys: ['enter', 'enter', 'd'], shows: /Keep it/},
	'delete several': {keys: ['enter', 'enter', 'space', 'space', 'd'], shows: /2/},
	'bulk choice': {keys: ['enter', 'enter', 'B'], shows: /file/},
	'search in values': {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'u', 'tab'],
		shows: /exactly as/,
	},
	hits: {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'a', 'enter', /\d hits? in \d/],
		shows: /line 1/,
	},
	'value of a hit': {
		keys: ['enter', 'down', 'enter', 'f', 'down', 'enter', 'a', 'enter', /\d hits? in \d/, 'enter', /n next/],
		shows: /JSON/,
	},
	'cost of statistics': {keys: ['enter', 'S'], shows: /enter starts/},
	statistics: {
		keys: ['enter', 'down', 'enter', /480 keys/, 'S', 'enter', / 480 keys/],
		shows: /Keys by prefix/,
	},
	'wrapped text': {keys: ['enter', 'end', 'enter', 'end', 'enter', /bytes ·/, 'tab', 'L'], shows: /bytes ·/},
	jobs: {keys: ['J'], shows: /[Jj]obs/},
	activity: {keys: ['enter', 'A'], shows: /METHOD/},
	zones: {keys: ['F'], shows: /acme-shop\.example/},
	firewall: {zone: inAcme, keys: ['F'], shows: /rule 1 of \d+/},
	emergency: {zone: inAcme, keys: ['F', '!'], shows: /EMERGENCY/},
	'the filters of a zone': {zone: inAcme, keys: ['F', 'tab'], shows: /used by rule 1/},
	'all of a rule': {zone: inAcme, keys: ['F', 'j', 'enter'], shows: /rule 2 of \d+/},
	'pause of a rule': {zone: inAcme, keys: ['F', 'p'], shows: /Pause this rule/},
	'priority of a rule': {zone: inAcme, keys: ['F', 'o'], shows: /Priority of rule 1/},
	'delete rule': {zone: inAcme, keys: ['F', 'd'], shows: /Keep it/},
	'rate limits': {zone: 'done.acme.example', keys: ['F', /rule 1 of 4/, 'L'], shows: /rate limit 1 of 3/},
	'custom rules from firewall rules': {zone: inAcme, keys: ['F', 'm'], shows: /to create/},
	'the request of those': {zone: inAcme, keys: ['F', 'm', 'enter'], shows: /exactly as/},
	migration: {zone: inAcme, keys: ['M'], shows: /Read the zone/},
	'what is in the way of a migration': {
		zone: 'acme-legacy.example',
		keys: ['M', /▸ Read the zone/, 'enter'],
		shows: /is not eligible/,
	},
	'what a migration would do': {
		zone: inAcme,
		keys: ['M', /▸ Read the zone/, 'enter', /▸ Continue/, 'enter'],
		shows: /OWASP Core/,
	},
	help: {keys: ['enter', '?'], shows: /search shortcuts/},
	palette: {keys: [':'], shows: /what to do/},
	'new namespace': {keys: ['enter', 'n'], shows: /Its title, exactly/},
	'delete namespace': {keys: ['enter', 'down', 'd'], shows: /Export its keys/},
	'delete namespace, typed': {
		keys: ['enter', 'down', 'd', /without an export/, 'down', 'enter'],
		shows: /cannot be undone/,
	},
};

/** A terminal that can change its size, and keeps the last frame. */
class Terminal extends EventEmitter {
	readonly isTTY = true;
	columns: number = sizes[0][0];
	rows: number = sizes[0][1];
	frame = '';
	frames = 0;

	write(frame: string): boolean {
		this.frame = frame;
		this.frames++;
		this.emit('drawn');
		return true;
	}

	lines(): readonly string[] {
		return stripVTControlCharacters(this.frame)
			.split('\n')
			.map(line => line.trimEnd());
	}
}

/** All of ledge on a simulated service, from its start. */
async function opened(zone: string | undefined) {
	const space = createTestStore({simulate: true, ...(zone !== undefined && {zone})});
	const ink = createInkStdin();
	const plain = appOf(space);
	const app = {...plain, terminal: {...plain.terminal, forward: ink.send}};
	const terminal = new Terminal();
	const stream = terminal as unknown as NodeJS.WriteStream;
	const resized = () => app.state().navigation.resize({columns: terminal.columns, rows: terminal.rows});
	resized();
	await app.state().connection.lookAround();
	void lookFurther(app);
	const instance = render(<Root app={app} theme={themeOf('dark', true)} />, {
		stdout: stream,
		stderr: stream,
		stdin: ink.stream,
		debug: true,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
	});
	onTestFinished(() => instance.unmount());
	const text = () => terminal.lines().join('\n');
	/** Until nothing is under way but in the background, and nothing more is drawn. */
	const settled = async () => {
		const isBusy = () => app.state().work.list.some(({kind}) => kind !== 'background');
		for (let frames = -1; frames !== terminal.frames || isBusy(); ) {
			frames = terminal.frames;
			for (let turns = 0; turns < 10; turns++) await turn();
		}
	};
	const drawn = (holds: () => boolean) =>
		new Promise<void>(resolve => {
			const look = () => {
				if (!holds()) return;
				terminal.off('drawn', look);
				resolve();
			};
			terminal.on('drawn', look);
			look();
		});
	return {
		terminal,
		settled,
		async shows(pattern: RegExp | string) {
			await drawn(() => (typeof pattern === 'string' ? text().includes(pattern) : pattern.test(text())));
			await settled();
		},
		async press(key: string) {
			const {frames} = terminal;
			dispatch(app, key.length === 1 ? typed(key) : pressed(key, keyBytes(key)));
			await drawn(() => terminal.frames > frames);
			await settled();
		},
		/** What is in front has been on the screen for long enough to count as looked at. */
		lookedAt: () => space.passes(lookingTime + 100),
		async resize(columns: number, rows: number) {
			Object.assign(terminal, {columns, rows});
			terminal.emit('resize');
			resized();
			await settled();
		},
	};
}

function check(terminal: Terminal) {
	const {columns, rows} = terminal;
	const lines = terminal.lines();
	expect(lines).toHaveLength(rows);
	for (const line of lines) expect(stringWidth(line), lines.join('\n')).toBeLessThanOrEqual(columns);
	expect(lines[0]).toMatch(/^ \S.* · ⟨ SIMULATED ⟩/);
	expect(lines[1]).toMatch(/^──.*─$/);
	expect(stringWidth(lines[1] ?? '')).toBe(columns);
	// The keys are on the last line at every size.
	expect(lines.at(-1)).toMatch(/\S/);
}

/** What the cursor is on, as far as it is shown at every size; nothing where there is not a list. It may be the right one of two. */
const selectedName = (lines: readonly string[]): string | undefined =>
	lines
		.map(line => /(?:^.{0,4}| {2})(▸ .*)/.exec(line)?.[1])
		.find(found => found !== undefined)
		?.trim()
		.slice(0, 16);

describe.each(Object.entries(places))('%s', (_name, {zone, keys, shows}) => {
	test('fits at 60×15, 80×24 and 200×60, and through a resize', async () => {
		const screen = await opened(zone);
		await screen.shows('Acme (simulated)');
		for (const key of keys) {
			if (typeof key === 'string') await screen.press(key);
			else await screen.shows(key);
			screen.lookedAt();
		}
		await screen.shows(shows);
		check(screen.terminal);
		const selected = selectedName(screen.terminal.lines());
		for (const [columns, rows] of [...sizes.slice(1), sizes[0]]) {
			await screen.resize(columns, rows);
			await screen.shows(shows);
			check(screen.terminal);
			expect(selectedName(screen.terminal.lines())).toBe(selected);
		}
	});
});
