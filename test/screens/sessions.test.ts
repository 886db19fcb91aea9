import {expect, test} from 'vitest';
import type {Rule} from '../../source/firewall/rules/rule.ts';
import {openSessions} from '../../source/screens/sessions.ts';
import type {App} from '../../source/screens/shell/app.ts';
import {parsePreferences} from '../../source/settings/preferences/read.ts';
import {createScratchFolder} from '../support/ledge.ts';
import {createUnconfiguredEnvironment} from '../support/program.ts';

async function openWithout() {
	const cwd = createScratchFolder();
	const refuse = () => expect.unreachable();
	const shown = Promise.withResolvers<App>();
	const sessions = await openSessions(
		{},
		{
			cwd: () => cwd,
			env: createUnconfiguredEnvironment(cwd),
			startSimulated: refuse,
			startRehearsal: refuse,
			terminal: {
				copy: refuse,
				handOver: refuse,
				suspend: refuse,
				quit: refuse,
				forward: refuse,
			},
			interruptionRecorders: new Set(),
			getSize: () => ({columns: 80, rows: 24}),
			show: app => shown.resolve(app),
		},
	);
	return {
		sessions,
		/** Resolves with the next session, once it is announced. */
		shown: shown.promise,
		async save(...lines: readonly string[]) {
			const text = lines.join('\n');
			await sessions.setPreferences({
				file: 'config.toml',
				shownAs: 'config.toml',
				...(await parsePreferences(text, 'config.toml')),
			});
			return sessions.getCurrent().state().messages.latest?.text;
		},
	};
}

test('a saved file shows what is new in it first, and what needs a restart', async () => {
	const {sessions, save} = await openWithout();
	expect(await save('[keys]', 'keys.sort = "x"')).toBe(
		'Read config.toml again. config.toml:2: "x" was keys.export (export keys to a file: selected, below a prefix, or all), which has no key now.',
	);
	expect(await save('[keys]', 'keys.sort = "x"', 'keys.load = "t"')).toMatch(
		/^Read config\.toml again\. config\.toml:3: "t" was .* And 1 more: `ledge config` shows them\.$/,
	);
	expect(await save('[defaults]', 'mouse = false')).toBe(
		'Read config.toml again. Restart ledge for "mouse".',
	);
	expect(await save('[keys]', 'all.sorted = "x"', 'all.loaded = "t"')).toMatch(
		/^config\.toml:2: .*"all\.sorted".* And 1 more: `ledge config` shows them\.$/,
	);
	sessions.end();
});

test('another session says what can no longer be undone', async () => {
	const {sessions, shown} = await openWithout();
	const {state, terminal} = sessions.getCurrent();
	const zone = {id: 'z', name: 'shop.example'};
	const filter = {id: 'f', expression: 'ssl', paused: false};
	const rule: Rule = {id: 'r', paused: false, action: 'block', priority: null, filter};
	state().firewall.noteEdits(zone, [{kind: 'rule', before: rule, after: {...rule, paused: true}}]);
	terminal.restart({to: 'target', target: 'local'});
	const {state: nextState} = await shown;
	expect(nextState().messages.latest?.text).toContain(
		'Can no longer be undone: 1 change to the firewall rules of shop.example.',
	);
	sessions.end();
});
