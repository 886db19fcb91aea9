import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ledge, scratch} from '../../support/ledge.ts';
import {openScreen, type Screen} from '../screen/open.ts';
import {atNamespaces} from './ways.ts';

/** What ledge itself sends: Ink's cursor and screen, colours and styles, bracketed paste, synchronized output. */
const own = /\u001b\[(?:\?(?:1049|2004|2026|25|1004)[hl]|[0-9;]*[mABCDEFGHJKf]|\??u|[<>=]\d*u)/g;

function nothingLeaked(screen: Screen) {
	const rest = screen
		.received()
		.replace(own, '')
		.replace(/[\r\n]/g, '');
	// C0, DEL, C1, and what turns the direction of text.
	expect(rest).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
	expect(screen.title).toBe('');
	expect(screen.copied).toEqual([]);
}

test('hostile names of keys and their values, on every screen they come to', async () => {
	const screen = await atNamespaces();
	screen.press('end', 'enter');
	await screen.waitFor(/\d+ keys?\b/);
	const {length} = screen.lines();
	for (let row = 0; row < length; row++) {
		screen.press('down');
		await screen.settled();
	}
	screen.press('A');
	await screen.waitFor('METHOD');
	nothingLeaked(screen);
});

test('a hostile title of a namespace, in the list, the path, a dialog, the calls and a failure', async () => {
	const screen = await atNamespaces();
	screen.press('n');
	await screen.waitFor('New namespace');
	screen.paste('evil\u0007\u009b2J\u202etitle');
	await screen.waitFor('evil');
	screen.press('enter');
	await screen.waitFor('Created');
	screen.press('d');
	await screen.waitFor('To continue, type');
	screen.type('wrong');
	screen.press('enter');
	await screen.waitFor('Does not match; type');
	screen.press('esc', 'enter');
	await screen.waitFor('no keys here yet');
	screen.press('A');
	await screen.waitFor('METHOD');
	nothingLeaked(screen);
});

test('hostile expressions and descriptions of rules and filters, in the lists, whole and in dialogs', async () => {
	const cwd = scratch();
	const words = ['--simulate', '--zone', 'acme-shop.example'];
	const description = 'evil\u001b]0;title\u0007\u009b2J\u202edescription';
	const expression = `http.host eq "evil\u009b2J\u202e.example"`;
	const made = await ledge(
		['firewall', 'rule', 'create', ...words, '--expression', expression, '--action', 'block']
			.concat(['--priority', '1', '--description', description])
			.concat(['--yes']),
		{cwd},
	);
	expect(made.code, made.stderr).toBe(0);
	const screen = await openScreen(words, {cwd});
	await screen.waitFor(/Account +Acme/);
	screen.press('F');
	await screen.waitFor(/rule 1 of \d+/);
	await screen.waitFor('evil');
	for (const key of [
		'enter',
		'esc',
		'f',
		'enter',
		'esc',
		'f',
		'p',
		'esc',
		'd',
		'esc',
		'o',
		'esc',
		'/',
		'esc',
	])
		await screen.answerTo(key);
	await screen.resize(200, 60);
	await screen.settled();
	screen.press('A');
	await screen.waitFor('METHOD');
	nothingLeaked(screen);
});

test('a hostile configuration and local data, on Home and in the list', async () => {
	const cwd = scratch();
	const hostile = '\u001b]0;title\u0007\u001b[2J\u202e\u009b31mname';
	const bindings = [
		{binding: hostile, id: hostile},
		{binding: 'B', id: 'x', [hostile]: 1},
	];
	writeFileSync(join(cwd, 'wrangler.json'), JSON.stringify({name: hostile, kv_namespaces: bindings}));
	const screen = await openScreen(['--local'], {cwd});
	await screen.waitFor('Local data');
	screen.press('enter');
	await screen.settled();
	await screen.answerTo('?');
	nothingLeaked(screen);
	screen.press('ctrl-c');
	await screen.waitForEnd();
	writeFileSync(join(cwd, 'wrangler.json'), `{"name": ${hostile}`);
	const broken = await openScreen(['--local'], {cwd});
	await broken.waitFor('wrangler.json');
	nothingLeaked(broken);
});
