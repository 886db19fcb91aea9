import {cpSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {createTestApp} from '../support/drawn.tsx';
import {acme, createMigratingPerson, shop} from '../support/migration-store.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** A person at the review of a zone, who has edited the configuration. */
async function createPersonWithEdit() {
	const person = await createMigratingPerson(shop);
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
	return person;
}

/** Starts ledge again on the same folders, and opens the first draft that it offers. */
async function startAgainAndOpenDraft(testStore: TestStore) {
	const after = createTestStore({simulate: true}, {previousStore: testStore});
	await after.state().connection.loadConnection();
	offerDrafts(after);
	const {current: dialog, close: closeDialog} = after.state().dialog;
	if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${after.state().messages.latest?.text}`);
	closeDialog();
	dialog.choose('open');
	await after.until(({work: {list: work}}) => work.every(({kind}) => kind !== 'read'));
	onTestFinished(() => after.state().migration.end());
	return after;
}

describe('leaving the edited configuration', () => {
	test.each(['0', '8', '4'])('by %s keeps the step and the edits for coming back by 5', async areaKey => {
		const person = await createPersonWithEdit();
		const app = createTestApp(person.testStore);
		const before = person.migration();
		expect(before.step).toBe('edit');
		dispatch(app, createKey(areaKey, ''));
		expect(getCurrentScreen(person.state())).not.toBe('migration');
		person.state().navigation.go('home');
		dispatch(app, createKey('5', ''));
		expect(getCurrentScreen(person.state())).toBe('migration');
		expect(person.migration()).toMatchObject({id: before.id, step: 'edit', edits: before.edits});
	});

	test('by C or U keeps them, too', async () => {
		const person = await createPersonWithEdit();
		const app = createTestApp(person.testStore);
		dispatch(app, createKey('C', 'C'));
		expect(getCurrentScreen(person.state())).toBe('contexts');
		dispatch(app, createKey('U', 'U'));
		expect(getCurrentScreen(person.state())).toBe('migration');
		expect(person.migration()).toMatchObject({step: 'edit', edits: [expect.anything()]});
		dispatch(app, createKey('U', 'U'));
		expect(getCurrentScreen(person.state())).toBe('migration');
		expect(person.state().dialog.current).toMatchObject({
			title: `You are editing the migration of ${shop.name}`,
		});
		const {current: dialog, close: closeDialog} = person.state().dialog;
		closeDialog();
		if (dialog?.kind === 'choice') dialog.choose('discard');
		expect(person.migration()).toMatchObject({step: 'edit', edits: []});
		expect(person.migration().configuration).toEqual(person.migration().initialConfiguration);
		expect(person.getMessageText()).toBe('Discarded 1 edit. Nothing was sent.');
	});

	test('by esc goes back step by step, and keeps the draft without a question', async () => {
		const person = await createPersonWithEdit();
		const app = createTestApp(person.testStore);
		for (const step of ['review', 'eligibility', 'zone']) {
			dispatch(app, createKey('esc', ''));
			expect(person.migration().step).toBe(step);
		}
		dispatch(app, createKey('esc', ''));
		expect(person.state().dialog.current).toBeUndefined();
		expect(getCurrentScreen(person.state())).toBe('home');
		expect(person.getMessageText()).toBe('Your edits are kept as a draft: U opens it.');
		expect(person.state().drafts.list).toHaveLength(1);
	});
});

test('u in the review undoes an edit and stays in the review', async () => {
	const person = await createPersonWithEdit();
	person.state().migration.goToStep('review');
	person.state().migration.undoEdit();
	expect(person.migration()).toMatchObject({step: 'review', edits: [], top: 0});
	expect(person.getMessageText()).toBe('Undone: Set paranoia level PL4 in OWASP Core Ruleset.');
});

describe('unreviewed edits', () => {
	const chooseInDialog = (person: Awaited<ReturnType<typeof createPersonWithEdit>>, value: string) => {
		const {current: dialog, close: closeDialog} = person.state().dialog;
		if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${person.getMessageText()}`);
		closeDialog();
		dialog.choose(value);
		return person.testStore.until(({work: {list: work}}) => work.length === 0);
	};

	describe.each([
		['"Read the current state"', 'eligibility', 'look again'],
		['the first step', 'zone', 'read'],
	] as const)('after a refresh by %s', (_way, step, kind) => {
		const refreshAndExpectOffer = async () => {
			const person = await createPersonWithEdit();
			const {configuration} = person.migration();
			person.state().migration.goToStep(step);
			await person.state().migration.choose({kind, label: ''});
			expect(person.state().dialog.current).toMatchObject({
				kind: 'choice',
				title: expect.stringContaining('1 edit not reviewed'),
			});
			return {...person, before: configuration};
		};

		test('are restored', async () => {
			const person = await refreshAndExpectOffer();
			await chooseInDialog(person, 'open');
			expect(person.migration()).toMatchObject({configuration: person.before, step: 'edit'});
			expect(person.migration().edits).toHaveLength(1);
			person.state().migration.undoEdit();
			expect(person.migration().configuration).toEqual(person.migration().initialConfiguration);
		});

		test('are not offered again once discarded', async () => {
			const person = await refreshAndExpectOffer();
			await chooseInDialog(person, 'discard');
			expect(person.migration().edits).toHaveLength(0);
			await person.state().migration.choose({kind: 'look again', label: ''});
			expect(person.state().dialog.current).toBeUndefined();
		});

		test('are offered once more if kept for later', async () => {
			const person = await refreshAndExpectOffer();
			await chooseInDialog(person, 'later');
			expect(person.migration().edits).toHaveLength(0);
			await person.state().migration.choose({kind: 'look again', label: ''});
			expect(person.state().dialog.current).toMatchObject({kind: 'choice'});
		});
	});

	test('of a rule of the proposal, whose rules all have an empty id, are restored to the same rule', async () => {
		const person = await createMigratingPerson(acme);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		const {rules: proposedRules = []} = person.migration().snapshot?.proposed as {rules?: JsonObject[]};
		expect(proposedRules.map(({id}) => id)).toEqual(proposedRules.map(() => ''));
		const rule = proposedRules.findIndex(({enabled}) => enabled === false);
		expect(rule).toBeGreaterThan(0);
		person.state().migration.applyEdit({kind: 'rule enabled', rule, enabled: true});
		const {configuration} = person.migration();
		person.state().migration.goToStep('zone');
		await person.choose('read');
		await chooseInDialog(person, 'open');
		expect(person.migration()).toMatchObject({configuration, edits: [{edit: {rule, enabled: true}}]});
		expect(person.migration().configuration?.rules[rule]?.enabled).toBe(true);
	});

	test('are no longer unreviewed once they were sent: nothing is kept as a draft', async () => {
		const person = await createPersonWithEdit();
		await person.enter();
		await person.enter();
		await person.choose('direct');
		await person.choose('without rehearsal');
		expect(person.state().migration.hasUnreviewedEdits()).toBe(false);
		await person.confirm(shop.name);
		await person.testStore.until(({migration: {data: migration}}) => migration?.record.state === 'complete');
		expect(person.migration().edits).toHaveLength(1);
		expect(person.state().migration.hasUnreviewedEdits()).toBe(false);
		person.state().drafts.save();
		person.state().migration.leave();
		expect(person.state().drafts.list).toEqual([]);
	});

	/** Edits that were kept for later; then the proposal is reviewed without them and sent. */
	const completeWithoutEdits = async () => {
		const person = await createPersonWithEdit();
		person.state().migration.goToStep('eligibility');
		await person.state().migration.choose({kind: 'look again', label: ''});
		await chooseInDialog(person, 'later');
		const [storedDraft] = person.state().drafts.list;
		const {path = ''} = storedDraft?.draft ?? {};
		const draftText = readFileSync(path);
		person.state().migration.goToStep('review');
		await person.enter();
		await person.choose('direct');
		await person.choose('without rehearsal');
		await person.confirm(shop.name);
		expect(person.migration().record.state).toBe('complete');
		return {...person, restoreDraft: () => writeFileSync(path, draftText)};
	};

	test('that were kept for later are dropped when the migration is complete', async () => {
		const person = await completeWithoutEdits();
		expect(person.state().drafts.list).toEqual([]);
		person.state().drafts.refresh();
		expect(person.state().drafts.list).toEqual([]);
	});

	test('of a migration that another process completed are discarded when they are opened, which is said', async () => {
		const person = await completeWithoutEdits();
		person.state().migration.leave();
		person.restoreDraft();
		person.state().drafts.refresh();
		const [storedDraft] = person.state().drafts.list;
		person.state().drafts.offer(storedDraft?.draft.id ?? '');
		await chooseInDialog(person, 'open');
		expect(person.migration().record.state).toBe('complete');
		expect(person.getMessageText()).toBe(
			`The migration of ${shop.name} is complete: the draft no longer applies and was discarded.`,
		);
		person.state().drafts.refresh();
		expect(person.state().drafts.list).toEqual([]);
	});

	test('are offered if the screen was left and the zone is reopened', async () => {
		const person = await createPersonWithEdit();
		const {configuration} = person.migration();
		person.state().migration.leave();
		expect(person.state().migration.data).toBeUndefined();
		const reopened = await createMigratingPerson(shop, person.testStore);
		await reopened.choose('continue');
		await chooseInDialog(person, 'open');
		expect(reopened.migration().configuration).toEqual(configuration);
	});

	test('are no longer a draft once reviewed', async () => {
		const person = await createPersonWithEdit();
		person.state().drafts.save();
		await person.enter();
		person.testStore.advanceClock(1000);
		await person.state().migration.confirmReview();
		expect(person.migration().record.state).toBe('reviewed');
		person.state().drafts.refresh();
		person.state().migration.leave();
		expect(person.state().drafts.list).toEqual([]);
	});

	test('on top of a review keep its changes when they are resumed after another start', async () => {
		const first = await createPersonWithEdit();
		await first.enter();
		await first.enter();
		expect(first.migration().record.state).toBe('reviewed');
		const reviewedConfiguration = first.migration().configuration;
		await first.state().migration.end();
		const second = await createMigratingPerson(
			shop,
			createTestStore({simulate: true}, {previousStore: first.testStore}),
		);
		await second.choose('continue');
		second.state().migration.goToStep('edit');
		second.state().migration.applyEdit({kind: 'rule enabled', rule: 0, enabled: false});
		await second.state().migration.waitForReviewDrops();
		const {configuration} = second.migration();
		second.state().drafts.save();
		await second.state().migration.end();
		const third = await startAgainAndOpenDraft(second.testStore);
		const {data: resumed} = third.state().migration;
		expect(resumed).toMatchObject({configuration, edits: [expect.anything()], changesByOthers: []});
		third.state().migration.undoEdit();
		expect(third.state().migration.data?.configuration).toEqual(reviewedConfiguration);
	});
});

describe('$EDITOR', () => {
	/** A person with an editor: `edit` makes it save a text, `readGivenText` returns what it was given. */
	async function withEditor() {
		const person = await createPersonWithEdit();
		const {folder, env} = person.testStore;
		const program = join(folder, 'editor.mjs');
		writeFileSync(
			program,
			`import {readFileSync, writeFileSync} from 'node:fs';
const file = process.argv.at(-1);
writeFileSync(${JSON.stringify(join(folder, 'given'))}, readFileSync(file));
writeFileSync(file, readFileSync(${JSON.stringify(join(folder, 'saves'))}));`,
		);
		env.EDITOR = `${process.execPath} ${program}`;
		const edit = async (savedText: string, choiceValue?: 'left' | 'now' | 'discard') => {
			writeFileSync(join(folder, 'saves'), savedText);
			await person.state().migration.editExternally(work => work());
			const dialog = person.state().dialog.current;
			if (choiceValue === undefined) return expect(dialog).toBeUndefined();
			if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${person.getMessageText()}`);
			person.state().dialog.close();
			dialog.choose(choiceValue);
			await person.testStore.until(({work: {list: work}}) => work.length === 0);
		};
		return {...person, edit, readGivenText: () => readFileSync(join(folder, 'given'), 'utf8')};
	}
	const findSavedPaths = (text: string) =>
		[...text.matchAll(/Saved in (\S+);/g)].map(([, path = '']) => path);

	test('offers saved but unreadable text again until it can be read', async () => {
		const person = await withEditor();
		const {configuration} = person.migration();
		await person.edit('{"rules": [');
		const message = person.state().messages.latest;
		const [path = ''] = findSavedPaths(
			message?.kind === 'failed' ? (message.failure.details.left ?? '') : '',
		);
		expect(readFileSync(path, 'utf8')).toBe('{"rules": [');
		await person.edit('{"rules": [}', 'left');
		expect(person.readGivenText()).toBe('{"rules": [');
		expect(person.migration().configuration).toBe(configuration);
		await person.edit('{"rules": []}', 'left');
		expect(person.readGivenText()).toBe('{"rules": [}');
		expect(person.migration().configuration?.rules).toEqual([]);
		await person.edit('{"rules": []}');
	});

	test('unreadable text is reported until the person goes on, or edits it again', async () => {
		const person = await withEditor();
		const getFailureText = () => {
			const message = person.state().messages.latest;
			return message?.kind === 'failed' ? message.text : undefined;
		};
		await person.edit('{"rules": [');
		expect(getFailureText()).toBe('The text saved in the editor is not JSON.');
		await person.enter();
		expect([person.migration().step, getFailureText()]).toEqual(['review', undefined]);
		await person.edit('{"rules": [', 'now');
		expect(getFailureText()).toBeDefined();
		person.state().migration.applyEdit({kind: 'paranoia level', level: 3});
		expect(getFailureText()).toBeUndefined();
		await person.edit('{"rules": [', 'now');
		expect(getFailureText()).toBeDefined();
		await person.edit('{"rules": []}', 'left');
		expect(getFailureText()).toBeUndefined();
	});

	test('unreadable text can be discarded, and is then not offered again', async () => {
		const person = await withEditor();
		await person.edit('{"rules": [');
		await person.edit('', 'discard');
		expect(person.getMessageText()).toBe('Discarded the text saved in the editor.');
		expect(person.migration()).toMatchObject({unparsedText: undefined, edits: [expect.anything()]});
		await person.edit('{"rules": []}');
	});

	test('unreadable text is no draft after the migration is complete', async () => {
		const person = await withEditor();
		await person.edit('{"rules": [');
		await person.enter();
		await person.enter();
		await person.choose('direct');
		await person.choose('without rehearsal');
		await person.confirm(shop.name);
		expect(person.migration()).toMatchObject({record: {state: 'complete'}, unparsedText: undefined});
		person.state().drafts.save();
		person.state().migration.leave();
		person.state().drafts.refresh();
		expect(person.state().drafts.list).toEqual([]);
	});

	test('keeps unreadable text if something else is edited afterwards', async () => {
		const person = await withEditor();
		await person.edit('first');
		const message = person.state().messages.latest;
		const [path = ''] = findSavedPaths(
			message?.kind === 'failed' ? (message.failure.details.left ?? '') : '',
		);
		person.testStore.advanceClock(1000);
		await person.edit('second', 'now');
		expect(JSON.parse(person.readGivenText())).toHaveProperty('rules');
		expect(readFileSync(path, 'utf8')).toBe('first');
	});

	test('offers unreadable text once more after the next start', async () => {
		const person = await withEditor();
		await person.edit('{"rules": [');
		person.state().drafts.save();
		await person.state().migration.end();
		const after = await startAgainAndOpenDraft(person.testStore);
		expect(after.state().migration.data?.unparsedText?.text).toBe('{"rules": [');
		expect(after.state().migration.data?.edits).toHaveLength(1);
		await after.state().migration.editExternally(work => work());
		expect(after.state().dialog.current).toMatchObject({
			kind: 'choice',
			title: 'Which text do you want to edit?',
		});
	});

	test.each([
		['a configuration', '{"rules": []}'],
		['half of one', '{"rules": ['],
	])('loses nothing if it saved %s before ledge was killed', async (_what, saved) => {
		const person = await createPersonWithEdit();
		const {folder, env} = person.testStore;
		const program = join(folder, 'editor.cjs');
		writeFileSync(
			program,
			`require('node:fs').writeFileSync(process.argv.at(-1), ${JSON.stringify(saved)}); setInterval(() => {}, 1000);`,
		);
		env.EDITOR = `${process.execPath} ${program}`;
		person.state().drafts.save();
		const drafts = join(folder, 'state', 'drafts');
		const editing = person.state().migration.editExternally(work => work());
		const findEditorFolder = () => readdirSync(drafts).find(name => name.endsWith('.editor')) ?? '';
		const getValuePath = () => join(drafts, findEditorFolder(), 'value.json');
		await expect.poll(() => existsSync(getValuePath()) && readFileSync(getValuePath(), 'utf8')).toBe(saved);
		// As a killed process would leave it: under its own name, with a holder that no longer runs.
		const killedFolder = join(drafts, '0123456789ab-ba9876543210.editor');
		cpSync(join(drafts, findEditorFolder()), killedFolder, {recursive: true});
		const draftPath = join(killedFolder, 'draft.json');
		const holder = {pid: 2 ** 30, host: hostname(), started: null};
		writeFileSync(draftPath, JSON.stringify({...JSON.parse(readFileSync(draftPath, 'utf8')), holder}));
		onTestFinished(async () => {
			person.state().work.cancelReads();
			await editing;
		});
		await person.state().migration.end();
		const after = await startAgainAndOpenDraft(person.testStore);
		const {configuration, edits = [], unparsedText} = after.state().migration.data ?? {};
		if (saved.endsWith(']}')) expect([configuration?.rules, edits.length]).toEqual([[], 2]);
		else expect([unparsedText?.text, edits.length]).toEqual([saved, 1]);
		// The draft saved before is part of it, and is no longer offered by itself.
		expect(after.state().drafts.list).toEqual([]);
	});
});
