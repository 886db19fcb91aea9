import {expect} from 'vitest';
import {minQuestionMs} from '../../../source/screens/shell/ask-about-production.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import type {ServedSimulator} from '../../support/serve-simulator.ts';
import {enterMember, openLimits} from './edit-ways.ts';
import {checkFile, homeOf, toKeys, toNamespaces} from './sample-ways.ts';
import type {DrawnScreen} from './screen.tsx';
import {lookAndEnterAt} from './ways.ts';

/** One write, and how a person comes to it. */
export type Step = {
	/** The actions that begin it. */
	readonly does: readonly string[];
	/** Begins it, from where the step before has ended. */
	begins(screen: DrawnScreen): Promise<void>;
	/** Begins it once more, after it was declined; as before unless given. */
	again?(screen: DrawnScreen): Promise<void>;
	/** What the question names: account, and namespace or zone. */
	readonly where: RegExp;
	/** What reaches the service. */
	readonly sends: RegExp;
	/** What goes wrong at the service once it is agreed to. */
	readonly faults?: string;
	/** What is shown in the end. */
	readonly ends: string | RegExp;
};

/** Writes that one person makes in turn. */
export type Walk = {
	readonly options?: SessionOptions;
	to(screen: DrawnScreen): Promise<void>;
	readonly steps: readonly Step[];
};

const inAccount = /In Acme \(simulated\)\./;
const inSessions =
	/In Acme \(simulated\) › SESSIONS(\.| \(prod › 7ce064d8b26f93391d8a14e4c40b28bb\) \(account 910896fde4470afb4fab0b3c5e3aaff8\)\.)/;
const inConfig =
	/In (Acme \(simulated\) › CONFIG\.|(Acme \(simulated\) › )?CONFIG \(prod › f406ca271a253d6e7fe341d7a1faa59c\) \(account 910896fde4470afb4fab0b3c5e3aaff8\)\.)/;
const putKey = /^PUT .*\/values\//;
const deleteKey = /^DELETE .*\/values\//;
const bulk = /^PUT .*\/bulk$/;
const bulkDelete = /\/bulk\/delete$/;

/** Agrees to write to production, once the question has been looked at. */
export async function agree(screen: DrawnScreen): Promise<void> {
	await screen.settled('PRODUCTION: ', {quiet: minQuestionMs});
	screen.press('y');
}

async function namespaces(screen: DrawnScreen): Promise<void> {
	await homeOf(screen);
	await toNamespaces(screen);
}

async function keys(screen: DrawnScreen): Promise<void> {
	await namespaces(screen);
	await toKeys(screen);
}

async function checked(screen: DrawnScreen): Promise<void> {
	await keys(screen);
	await checkFile(screen, 'put.json');
}

/** Opens a dialog, types into it and submits it. */
export async function submit(screen: DrawnScreen, key: string, title: string, text: string): Promise<void> {
	screen.press(key);
	await screen.waitFor(title);
	screen.paste(text);
	screen.press('enter');
}

/** Deletes the namespace under the cursor, without an export of its keys. */
export async function removeNamespace(screen: DrawnScreen, title: string): Promise<void> {
	screen.press('d');
	await take(screen, 'Delete without an export');
	await screen.waitFor(`Delete "${title}"?`);
	screen.paste(title);
	screen.press('enter');
}

/** Says yes to the question of a key. */
export async function answer(screen: DrawnScreen, key: string, question: string): Promise<void> {
	screen.press(key);
	await screen.waitFor(question);
	screen.press('y');
}

/** Moves to a choice, and takes it. */
export async function take(screen: DrawnScreen, choice: string): Promise<void> {
	await screen.waitFor(choice);
	while (!screen.text().includes(`▸ ${choice}`)) await screen.answerTo('down');
	screen.press('enter');
}

const look = (screen: DrawnScreen): Promise<void> => lookAndEnterAt(screen, 'Check what is stored now');
const enter = async (screen: DrawnScreen): Promise<void> => screen.press('enter');
const writeIt = (screen: DrawnScreen): Promise<void> => lookAndEnterAt(screen, 'Write the key');

async function deleteIt(screen: DrawnScreen): Promise<void> {
	await screen.settled('Keep the key', {quiet: minReviewMs + 100});
	screen.press('y');
}

/** Chooses another namespace of the service for the keys in front. */
async function other(screen: DrawnScreen, key: 'c' | '='): Promise<void> {
	screen.press('G', key);
	await take(screen, 'another store, by name');
	await screen.waitFor('remote:TITLE');
	screen.paste('remote:SESSIONS');
	screen.press('enter');
}

async function copy(screen: DrawnScreen): Promise<void> {
	await other(screen, 'c');
	await take(screen, 'Copy all keys');
}

/** A job that has stopped, in the list of jobs. */
async function jobs(screen: DrawnScreen): Promise<void> {
	screen.press('J');
	await screen.settled('unfinished');
}

async function resume(screen: DrawnScreen): Promise<void> {
	await jobs(screen);
	screen.press('enter');
}

/** Says yes to the question before keys are deleted. */
async function confirmDeletion(screen: DrawnScreen): Promise<void> {
	await screen.waitFor(/Delete \d+ .*\?/);
	screen.press('y');
}

async function deleteSelected(screen: DrawnScreen): Promise<void> {
	screen.press('d');
	await confirmDeletion(screen);
}

/** Goes to the group of the keys of limits. */
async function toGroup(screen: DrawnScreen): Promise<void> {
	if (!/limits\/( |$)/m.test(screen.text())) await screen.answerTo('t');
	while (!/limits\/( |$)/.test(screen.selectedRow().text)) await screen.answerTo('down');
}

async function renameGroup(screen: DrawnScreen): Promise<void> {
	await toGroup(screen);
	await submit(screen, 'R', 'Rename all keys under limits/', 'x/');
	await screen.waitFor(/Rename \d+ keys? in/);
	screen.type(/Rename (\d+) keys?/.exec(screen.text())?.[1] ?? '');
	screen.press('enter');
}

async function deleteGroup(screen: DrawnScreen): Promise<void> {
	await toGroup(screen);
	screen.press('d');
	await screen.waitFor('Nothing has been sent.');
	screen.press('enter');
	await confirmDeletion(screen);
}

/** From a run that has ended, or was not begun, to the keys. */
async function backToKeys(screen: DrawnScreen): Promise<void> {
	screen.press('esc');
	await screen.waitFor('space select');
}

async function openDifference(screen: DrawnScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('left to right');
	await screen.waitFor(shown => !shown.text().includes('KEY  '));
}

/** Every write that the screens make to namespaces and keys, by what is written to. */
export const keyWalks: Readonly<Record<string, Walk>> = {
	namespaces: {
		to: namespaces,
		steps: [
			{
				does: ['namespaces.new'],
				begins: screen => submit(screen, 'n', 'New namespace', 'NEW'),
				where: inAccount,
				sends: /^POST .*\/namespaces$/,
				ends: 'Created "NEW"',
			},
			{
				does: ['namespaces.rename'],
				begins: screen => submit(screen, 'r', 'Rename "NEW"', 'NEW2'),
				where: inAccount,
				sends: /^PUT .*\/namespaces\/\w+$/,
				ends: 'Renamed "NEW" to "NEW2"',
			},
			{
				does: ['namespaces.delete'],
				begins: screen => removeNamespace(screen, 'NEW2'),
				where: inAccount,
				sends: /^DELETE .*\/namespaces\/\w+$/,
				ends: 'Deleted "NEW2"',
			},
		],
	},
	'a key': {
		to: openLimits,
		steps: [
			{
				does: ['review.choose'],
				async begins(screen) {
					await enterMember(screen, '700');
					await writeIt(screen);
				},
				async again(screen) {
					await look(screen);
					await writeIt(screen);
				},
				where: inConfig,
				sends: putKey,
				ends: /Wrote \d+ bytes to limits\/api/,
			},
			{
				does: ['review.delete'],
				async begins(screen) {
					screen.press('d');
					await deleteIt(screen);
				},
				async again(screen) {
					await look(screen);
					await deleteIt(screen);
				},
				where: inConfig,
				sends: deleteKey,
				ends: 'Deleted limits/api',
			},
		],
	},
	'key names': {
		to: keys,
		steps: [
			{
				does: ['rename.duplicate'],
				begins: screen => submit(screen, 'D', 'Duplicate features', 'features-2'),
				where: inConfig,
				sends: putKey,
				ends: 'Duplicated as features-2',
			},
			{
				does: ['rename.key'],
				begins: screen => submit(screen, 'R', 'Rename features-2', 'features-2x'),
				where: inConfig,
				sends: deleteKey,
				ends: 'Renamed to features-2x',
			},
			{
				does: ['rename.prefix'],
				begins: renameGroup,
				async again(screen) {
					await backToKeys(screen);
					await renameGroup(screen);
				},
				where: inConfig,
				sends: bulkDelete,
				ends: /Renamed \d+ keys/,
			},
		],
	},
	'a file': {
		to: checked,
		steps: [
			{
				does: ['bulk.send'],
				begins: enter,
				async again(screen) {
					await backToKeys(screen);
					await checkFile(screen, 'put.json');
					screen.press('enter');
				},
				where: inConfig,
				sends: bulk,
				faults: 'status=503 method=PUT path=/bulk',
				ends: '⏎ resume',
			},
			{
				does: ['bulk.go-on', 'jobs.resume'],
				begins: enter,
				again: resume,
				where: inConfig,
				sends: bulk,
				ends: 'Wrote 2 keys',
			},
		],
	},
	'many keys': {
		to: keys,
		steps: [
			{
				does: ['bulk.delete'],
				begins: deleteGroup,
				async again(screen) {
					await backToKeys(screen);
					await deleteGroup(screen);
				},
				where: inConfig,
				sends: bulkDelete,
				ends: /Deleted \d+ keys?/,
			},
			{
				does: ['keys.copy-to'],
				async begins(screen) {
					await backToKeys(screen);
					await copy(screen);
				},
				where: inSessions,
				sends: bulk,
				faults: 'status=503 method=PUT path=/bulk',
				ends: '⏎ resume',
			},
			{
				does: ['transfer.go-on'],
				begins: enter,
				again: resume,
				where: inSessions,
				sends: bulk,
				ends: /Copied \d+ keys/,
			},
			{
				does: ['keys.delete-selected'],
				async begins(screen) {
					await backToKeys(screen);
					screen.press('a');
					await deleteSelected(screen);
				},
				async again(screen) {
					await backToKeys(screen);
					await deleteSelected(screen);
				},
				where: inConfig,
				sends: bulkDelete,
				ends: /Deleted \d+ keys/,
			},
			{
				does: ['trash.undo'],
				begins: async screen => screen.press('u'),
				where: inConfig,
				sends: bulk,
				ends: /Restored \d+ keys?/,
			},
		],
	},
	'two namespaces': {
		async to(screen) {
			await keys(screen);
			await other(screen, '=');
			await screen.waitFor(/\d+ differences/);
		},
		steps: [
			{
				does: ['compare.merge-one'],
				async begins(screen) {
					await openDifference(screen);
					await answer(screen, '>', 'Write ');
				},
				again: screen => answer(screen, '>', 'Write '),
				where: inSessions,
				sends: putKey,
				ends: 'Merged ',
			},
			{
				does: ['compare.merge-other'],
				async begins(screen) {
					await openDifference(screen);
					await answer(screen, '<', 'Delete ');
				},
				again: screen => answer(screen, '<', 'Delete '),
				where: inConfig,
				sends: deleteKey,
				ends: 'Merged ',
			},
		],
	},
};

/** What arrived that changes something: some readings are sent with POST. */
export const written = (service: ServedSimulator): readonly string[] =>
	service
		.writes()
		.map(({method, path}) => `${method} ${path}`)
		.filter(call => !/validate-expr|bulk\/get$/.test(call));

/** The question about production is in front, with what it has to name. */
export async function asked(screen: DrawnScreen, where: RegExp): Promise<void> {
	await screen.waitFor('PRODUCTION: ');
	expect(screen.text().replaceAll(/\s+/g, ' ')).toMatch(where);
	expect(screen.text()).toContain('production context prod');
}
