import {expect} from 'vitest';
import {minQuestionMs} from '../../../source/screens/shell/ask-about-production.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import type {ServedSimulator} from '../../support/serve-simulator.ts';
import {enterMember, openLimits} from './edit-ways.ts';
import {checkFile, goToConfigKeys, goToNamespaces, sendCheckedFile, waitForHome} from './sample-ways.ts';
import type {DrawnScreen} from './screen.tsx';
import {confirmAfterReading, pressEnterAfterReading} from './ways.ts';

/** One write, and how a person comes to it. */
export type Step = {
	/** The ids of the actions that begin it. */
	readonly actionIds: readonly string[];
	/** Begins it where the previous step has ended. */
	begin(screen: DrawnScreen): Promise<void>;
	/** Begins it again after it was declined; `begin` by default. */
	beginAgain?(screen: DrawnScreen): Promise<void>;
	/** What the question names: account, and namespace or zone. */
	readonly placePattern: RegExp;
	/** What reaches the service. */
	readonly requestPattern: RegExp;
	/** Faults of the service once the question is confirmed. */
	readonly faults?: string;
	/** What is shown in the end. */
	readonly endText: string | RegExp;
};

/** Writes that one person makes one after the other. */
export type Walk = {
	readonly options?: SessionOptions;
	/** Changes the service before ledge starts. */
	prepare?(service: ServedSimulator): Promise<void>;
	goToStart(screen: DrawnScreen): Promise<void>;
	readonly steps: readonly Step[];
};

const accountPattern = /In Acme \(simulated\)\./;
const sessionsPattern =
	/In Acme \(simulated\) › SESSIONS(\.| \(prod › 7ce064d8b26f93391d8a14e4c40b28bb\) \(account 910896fde4470afb4fab0b3c5e3aaff8\)\.)/;
const configPattern =
	/In (Acme \(simulated\) › CONFIG\.|(Acme \(simulated\) › )?CONFIG \(prod › f406ca271a253d6e7fe341d7a1faa59c\) \(account 910896fde4470afb4fab0b3c5e3aaff8\)\.)/;
const putKey = /^PUT .*\/values\//;
const deleteKey = /^DELETE .*\/values\//;
const bulk = /^PUT .*\/bulk$/;
const bulkDelete = /\/bulk\/delete$/;

/** Confirms the question about production, once it counts as read. */
export async function agreeToProduction(screen: DrawnScreen): Promise<void> {
	await screen.settled('PRODUCTION: ', {quiet: minQuestionMs});
	// What is done, not only that something is written.
	expect(screen.text()).not.toMatch(/\by \w+ing\b/);
	screen.press('y');
}

async function goToNamespaceList(screen: DrawnScreen): Promise<void> {
	await waitForHome(screen);
	await goToNamespaces(screen);
}

async function goToKeyList(screen: DrawnScreen): Promise<void> {
	await goToNamespaceList(screen);
	await goToConfigKeys(screen);
}

async function goToCheckedFile(screen: DrawnScreen): Promise<void> {
	await goToKeyList(screen);
	await checkFile(screen, 'put.json');
}

/** Opens a dialog, types into it and submits it. */
export async function submitDialog(
	screen: DrawnScreen,
	key: string,
	title: string,
	text: string,
): Promise<void> {
	screen.press(key);
	await screen.waitFor(title);
	screen.paste(text);
	screen.press('enter');
}

/** Deletes the namespace under the cursor, without an export of its keys. */
export async function removeNamespace(screen: DrawnScreen, title: string): Promise<void> {
	screen.press('d');
	await chooseEntry(screen, 'Delete without an export');
	await screen.waitFor(`Delete "${title}"?`);
	screen.paste(title);
	screen.press('enter');
}

/** Presses a key, and confirms the question that it asks. */
export async function pressAndConfirm(
	screen: DrawnScreen,
	key: string,
	question: string | RegExp,
): Promise<void> {
	screen.press(key);
	await screen.waitFor(question);
	screen.press('y');
}

/** Moves to a choice, and chooses it. */
export async function chooseEntry(screen: DrawnScreen, choice: string): Promise<void> {
	await screen.waitFor(choice);
	while (!screen.text().includes(`▸ ${choice}`)) await screen.pressAndAwaitFrame('down');
	screen.press('enter');
}

const checkAgain = (screen: DrawnScreen): Promise<void> =>
	pressEnterAfterReading(screen, 'Check what is stored now');
const chooseToWrite = (screen: DrawnScreen): Promise<void> => confirmAfterReading(screen, 'y write the key');

async function confirmKeyDeletion(screen: DrawnScreen): Promise<void> {
	await screen.settled('y delete the key', {quiet: minReviewMs + 100});
	screen.press('y');
}

/** Chooses SESSIONS as the other store for the keys in front. */
async function chooseSessions(screen: DrawnScreen, key: 'c' | '='): Promise<void> {
	screen.press('G', key);
	if (key === 'c') await chooseEntry(screen, 'All keys');
	await screen.waitFor('or type another');
	screen.paste('remote:SESSIONS');
	screen.press('enter');
}

async function copyToSessions(screen: DrawnScreen): Promise<void> {
	await chooseSessions(screen, 'c');
	await chooseEntry(screen, 'Copy, and overwrite');
	await screen.waitFor('To continue, type');
	screen.type(/To continue, type {2}(\S+)/.exec(screen.text())?.[1] ?? '');
	screen.press('enter');
}

/** Opens the list of jobs, with an unfinished job. */
async function goToJobs(screen: DrawnScreen): Promise<void> {
	screen.press('7');
	await screen.settled('unfinished');
}

async function resumeJob(screen: DrawnScreen): Promise<void> {
	await goToJobs(screen);
	await resumeStoppedJob(screen);
}

async function resumeStoppedJob(screen: DrawnScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor('y resume the job');
	screen.press('y');
}

/** Confirms the question before keys are deleted. */
async function confirmDeletion(screen: DrawnScreen): Promise<void> {
	await screen.waitFor(/Delete \d+ .*\?/);
	screen.press('y');
}

async function deleteSelected(screen: DrawnScreen): Promise<void> {
	screen.press('d');
	await confirmDeletion(screen);
}

/** Goes to the group of the keys under `limits/`. */
async function goToLimitsGroup(screen: DrawnScreen): Promise<void> {
	if (!/limits\/( |$)/m.test(screen.text())) await screen.pressAndAwaitFrame('t');
	while (!/limits\/( |$)/.test(screen.selectedRow().text)) await screen.pressAndAwaitFrame('down');
}

async function renameGroup(screen: DrawnScreen): Promise<void> {
	await goToLimitsGroup(screen);
	await submitDialog(screen, 'R', 'Rename all keys under limits/', 'x/');
	await screen.waitFor(/Rename \d+ keys? in/);
	screen.type('CONFIG');
	screen.press('enter');
}

async function deleteGroup(screen: DrawnScreen): Promise<void> {
	await goToLimitsGroup(screen);
	screen.press('d');
	await screen.waitFor('Nothing has been sent.');
	screen.press('y');
	await confirmDeletion(screen);
}

/** Goes from a run that has ended, or has not begun, to the keys. */
async function backToKeys(screen: DrawnScreen): Promise<void> {
	screen.press('esc');
	await screen.waitFor(/NAME +.*EXPIRES/);
}

async function openDifference(screen: DrawnScreen): Promise<void> {
	screen.press('enter');
	await screen.waitFor(shown => !shown.text().includes('KEY  '));
	await screen.waitFor(/copy to (right|left)/);
}

/** Every write that the screens make to namespaces and keys, by what is written to. */
export const keyWalks: Readonly<Record<string, Walk>> = {
	namespaces: {
		goToStart: goToNamespaceList,
		steps: [
			{
				actionIds: ['namespaces.new'],
				begin: screen => submitDialog(screen, 'a', 'New namespace', 'NEW'),
				placePattern: accountPattern,
				requestPattern: /^POST .*\/namespaces$/,
				endText: 'Created "NEW"',
			},
			{
				actionIds: ['namespaces.rename'],
				begin: screen => submitDialog(screen, 'R', 'Rename "NEW"', 'NEW2'),
				placePattern: accountPattern,
				requestPattern: /^PUT .*\/namespaces\/\w+$/,
				endText: 'Renamed "NEW" to "NEW2"',
			},
			{
				actionIds: ['namespaces.delete'],
				begin: screen => removeNamespace(screen, 'NEW2'),
				placePattern: accountPattern,
				requestPattern: /^DELETE .*\/namespaces\/\w+$/,
				endText: 'Deleted "NEW2"',
			},
		],
	},
	'a key': {
		goToStart: openLimits,
		steps: [
			{
				actionIds: ['review.write'],
				async begin(screen) {
					await enterMember(screen, '700');
					await chooseToWrite(screen);
				},
				async beginAgain(screen) {
					await checkAgain(screen);
					await chooseToWrite(screen);
				},
				placePattern: configPattern,
				requestPattern: putKey,
				endText: /Wrote \d+ bytes to limits\/api/,
			},
			{
				actionIds: ['review.delete'],
				async begin(screen) {
					// At the top of the value, d means the key.
					screen.press('g', 'd');
					await confirmKeyDeletion(screen);
				},
				async beginAgain(screen) {
					await checkAgain(screen);
					await confirmKeyDeletion(screen);
				},
				placePattern: configPattern,
				requestPattern: deleteKey,
				endText: 'Deleted limits/api',
			},
		],
	},
	'key names': {
		goToStart: goToKeyList,
		steps: [
			{
				actionIds: ['rename.duplicate'],
				begin: screen => submitDialog(screen, 'D', 'Duplicate features', 'features-2'),
				placePattern: configPattern,
				requestPattern: putKey,
				endText: 'Duplicated as features-2',
			},
			{
				actionIds: ['rename.key'],
				begin: screen => submitDialog(screen, 'R', 'Rename features-2', 'features-2x'),
				placePattern: configPattern,
				requestPattern: deleteKey,
				endText: 'Renamed to features-2x',
			},
			{
				actionIds: ['rename.prefix'],
				begin: renameGroup,
				async beginAgain(screen) {
					await backToKeys(screen);
					await renameGroup(screen);
				},
				placePattern: configPattern,
				requestPattern: bulkDelete,
				endText: /Renamed \d+ keys/,
			},
		],
	},
	'a file': {
		goToStart: goToCheckedFile,
		steps: [
			{
				actionIds: ['bulk.send'],
				begin: screen => sendCheckedFile(screen, 'CONFIG'),
				async beginAgain(screen) {
					await backToKeys(screen);
					await checkFile(screen, 'put.json');
					await sendCheckedFile(screen, 'CONFIG');
				},
				placePattern: configPattern,
				requestPattern: bulk,
				faults: 'status=503 method=PUT path=/bulk',
				endText: '⏎ resume',
			},
			{
				actionIds: ['bulk.go-on', 'jobs.resume'],
				begin: resumeStoppedJob,
				beginAgain: resumeJob,
				placePattern: configPattern,
				requestPattern: bulk,
				endText: 'Wrote 2 keys',
			},
		],
	},
	'many keys': {
		goToStart: goToKeyList,
		steps: [
			{
				actionIds: ['bulk.delete'],
				begin: deleteGroup,
				async beginAgain(screen) {
					await backToKeys(screen);
					await deleteGroup(screen);
				},
				placePattern: configPattern,
				requestPattern: bulkDelete,
				endText: /Deleted \d+ keys?/,
			},
			{
				actionIds: ['keys.copy-to'],
				async begin(screen) {
					await backToKeys(screen);
					await copyToSessions(screen);
				},
				placePattern: sessionsPattern,
				requestPattern: bulk,
				faults: 'status=503 method=PUT path=/bulk',
				endText: '⏎ resume',
			},
			{
				actionIds: ['transfer.go-on'],
				begin: resumeStoppedJob,
				beginAgain: resumeJob,
				placePattern: sessionsPattern,
				requestPattern: bulk,
				endText: /Copied \d+ keys/,
			},
			{
				actionIds: ['keys.delete-selected'],
				async begin(screen) {
					await backToKeys(screen);
					screen.press('A');
					await deleteSelected(screen);
				},
				async beginAgain(screen) {
					await backToKeys(screen);
					await deleteSelected(screen);
				},
				placePattern: configPattern,
				requestPattern: bulkDelete,
				endText: /Deleted \d+ keys/,
			},
			{
				actionIds: ['trash.undo'],
				begin: async screen => screen.press('u'),
				placePattern: configPattern,
				requestPattern: bulk,
				endText: /Restored \d+ keys?/,
			},
		],
	},
	'two namespaces': {
		async goToStart(screen) {
			await goToKeyList(screen);
			await chooseSessions(screen, '=');
			await screen.waitFor(/\d+ differences/);
		},
		steps: [
			{
				actionIds: ['compare.merge-one'],
				async begin(screen) {
					await openDifference(screen);
					await pressAndConfirm(screen, '>', 'Write ');
				},
				beginAgain: screen => pressAndConfirm(screen, '>', 'Write '),
				placePattern: sessionsPattern,
				requestPattern: putKey,
				endText: 'Merged ',
			},
			{
				actionIds: ['compare.delete-other'],
				async begin(screen) {
					screen.press('j');
					await openDifference(screen);
					await pressAndConfirm(screen, '<', 'Delete ');
				},
				beginAgain: screen => pressAndConfirm(screen, '<', 'Delete '),
				placePattern: configPattern,
				requestPattern: deleteKey,
				endText: /Deleted \S+ in /,
			},
			{
				actionIds: ['compare.merge-other'],
				async begin(screen) {
					screen.press('G');
					await openDifference(screen);
					await pressAndConfirm(screen, '<', 'Write ');
				},
				beginAgain: screen => pressAndConfirm(screen, '<', 'Write '),
				placePattern: configPattern,
				requestPattern: putKey,
				endText: 'Merged ',
			},
			{
				actionIds: ['compare.delete-one'],
				async begin(screen) {
					screen.press('k');
					await openDifference(screen);
					await pressAndConfirm(screen, '>', 'Delete ');
				},
				beginAgain: screen => pressAndConfirm(screen, '>', 'Delete '),
				placePattern: sessionsPattern,
				requestPattern: deleteKey,
				endText: /Deleted \S+ in /,
			},
		],
	},
};

/** The requests that change something: some reads are sent with POST, too. */
export const listWrites = (service: ServedSimulator): readonly string[] =>
	service
		.writes()
		.map(({method, path}) => `${method} ${path}`)
		.filter(call => !/validate-expr|bulk\/get$/.test(call));

/** Expects the question about production in front, naming the place of the write. */
export async function expectProductionQuestion(screen: DrawnScreen, placePattern: RegExp): Promise<void> {
	await screen.waitFor('PRODUCTION: ');
	expect(screen.text().replaceAll(/\s+/g, ' ')).toMatch(placePattern);
	expect(screen.text()).toContain('production context prod');
}
