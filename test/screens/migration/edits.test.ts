import {cpSync, existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {at, shop} from '../support/migration-store.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** A person at the review of a zone, who has edited the configuration. */
async function edited() {
	const person = await at(shop);
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
	return person;
}

describe('unreviewed edits', () => {
	const chosen = (person: Awaited<ReturnType<typeof edited>>, value: string) => {
		const {current: dialog, close: closeDialog} = person.state().dialog;
		if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${person.said()}`);
		closeDialog();
		dialog.choose(value);
		return person.space.until(({work: {list: work}}) => work.length === 0);
	};

	describe.each([
		['ctrl-r', 'edit', 'look again'],
		['"Read the current state"', 'eligibility', 'look again'],
		['the first step', 'zone', 'read'],
	] as const)('after a refresh by %s', (_way, step, kind) => {
		const readAgain = async () => {
			const person = await edited();
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
			const person = await readAgain();
			await chosen(person, 'open');
			expect(person.migration()).toMatchObject({configuration: person.before, step: 'edit'});
			expect(person.migration().edits).toHaveLength(1);
			person.state().migration.undoEdit();
			expect(person.migration().configuration).toEqual(person.migration().initialConfiguration);
		});

		test('are gone only once discarded', async () => {
			const person = await readAgain();
			await chosen(person, 'discard');
			expect(person.migration().edits).toHaveLength(0);
			await person.state().migration.choose({kind: 'look again', label: ''});
			expect(person.state().dialog.current).toBeUndefined();
		});

		test('are offered once more if kept for later', async () => {
			const person = await readAgain();
			await chosen(person, 'later');
			expect(person.migration().edits).toHaveLength(0);
			await person.state().migration.choose({kind: 'look again', label: ''});
			expect(person.state().dialog.current).toMatchObject({kind: 'choice'});
		});
	});

	test('are offered if the screen was left and the zone is reopened', async () => {
		const person = await edited();
		const {configuration} = person.migration();
		person.state().migration.leave();
		expect(person.state().migration.data).toBeUndefined();
		const again = await at(shop, person.space);
		await again.choose('continue');
		await chosen(person, 'open');
		expect(again.migration().configuration).toEqual(configuration);
	});

	test('are no longer a draft once reviewed', async () => {
		const person = await edited();
		person.state().drafts.save();
		await person.enter();
		person.space.passes(1000);
		await person.state().migration.confirmReview();
		expect(person.migration().record.state).toBe('reviewed');
		person.state().drafts.refresh();
		person.state().migration.leave();
		expect(person.state().drafts.list).toEqual([]);
	});
});

describe('$EDITOR', () => {
	/** A person at the edit step, whose editor writes what is given, and tells what it was given itself. */
	async function withEditor() {
		const person = await edited();
		const {folder, env} = person.space;
		const program = join(folder, 'editor.mjs');
		writeFileSync(
			program,
			`import {readFileSync, writeFileSync} from 'node:fs';
const file = process.argv.at(-1);
writeFileSync(${JSON.stringify(join(folder, 'given'))}, readFileSync(file));
writeFileSync(file, readFileSync(${JSON.stringify(join(folder, 'saves'))}));`,
		);
		env.EDITOR = `${process.execPath} ${program}`;
		const edit = async (saves: string, which?: 'left' | 'now') => {
			writeFileSync(join(folder, 'saves'), saves);
			await person.state().migration.editExternally(work => work());
			const dialog = person.state().dialog.current;
			if (which === undefined) return expect(dialog).toBeUndefined();
			if (dialog?.kind !== 'choice') throw new Error(`Nothing was asked: ${person.said()}`);
			person.state().dialog.close();
			dialog.choose(which);
			await person.space.until(({work: {list: work}}) => work.length === 0);
		};
		return {...person, edit, given: () => readFileSync(join(folder, 'given'), 'utf8')};
	}
	const keptFiles = (text: string) => [...text.matchAll(/Saved in (\S+);/g)].map(([, path = '']) => path);

	test('offers saved but unreadable text again until it can be read', async () => {
		const person = await withEditor();
		const {configuration} = person.migration();
		await person.edit('{"rules": [');
		const message = person.state().messages.latest;
		const [path = ''] = keptFiles(message?.kind === 'failed' ? (message.failure.details.left ?? '') : '');
		expect(readFileSync(path, 'utf8')).toBe('{"rules": [');
		await person.edit('{"rules": [}', 'left');
		expect(person.given()).toBe('{"rules": [');
		expect(person.migration().configuration).toBe(configuration);
		await person.edit('{"rules": []}', 'left');
		expect(person.given()).toBe('{"rules": [}');
		expect(person.migration().configuration?.rules).toEqual([]);
		await person.edit('{"rules": []}');
	});

	test('keeps unreadable text if something else is edited afterwards', async () => {
		const person = await withEditor();
		await person.edit('first');
		const message = person.state().messages.latest;
		const [path = ''] = keptFiles(message?.kind === 'failed' ? (message.failure.details.left ?? '') : '');
		person.space.passes(1000);
		await person.edit('second', 'now');
		expect(JSON.parse(person.given())).toHaveProperty('rules');
		expect(readFileSync(path, 'utf8')).toBe('first');
	});

	/** The next start on the same folders, at the edits of the draft that it offers first. */
	async function restored(space: TestStore) {
		const after = createTestStore({simulate: true}, {after: space});
		await after.state().connection.loadConnection();
		offerDrafts(after);
		const {current: dialog, close: closeDialog} = after.state().dialog;
		if (dialog?.kind !== 'choice')
			throw new Error(`Nothing was asked: ${after.state().messages.latest?.text}`);
		closeDialog();
		dialog.choose('open');
		await after.until(({work: {list: work}}) => work.every(({kind}) => kind !== 'read'));
		onTestFinished(() => after.state().migration.end());
		return after;
	}

	test('offers unreadable text once more after the next start', async () => {
		const person = await withEditor();
		await person.edit('{"rules": [');
		person.state().drafts.save();
		await person.state().migration.end();
		const after = await restored(person.space);
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
		const person = await edited();
		const {folder, env} = person.space;
		const program = join(folder, 'editor.cjs');
		writeFileSync(
			program,
			`require('node:fs').writeFileSync(process.argv.at(-1), ${JSON.stringify(saved)}); setInterval(() => {}, 1000);`,
		);
		env.EDITOR = `${process.execPath} ${program}`;
		person.state().drafts.save();
		const drafts = join(folder, 'state', 'drafts');
		const editing = person.state().migration.editExternally(work => work());
		const inEditor = () => readdirSync(drafts).find(name => name.endsWith('.editor')) ?? '';
		const value = () => join(drafts, inEditor(), 'value.json');
		await expect.poll(() => existsSync(value()) && readFileSync(value(), 'utf8')).toBe(saved);
		// As the killed process leaves it: under its own name, with a holder that is gone.
		const theirs = join(drafts, '0123456789ab-ba9876543210.editor');
		cpSync(join(drafts, inEditor()), theirs, {recursive: true});
		const note = join(theirs, 'draft.json');
		const holder = {pid: 2 ** 30, host: hostname(), started: null};
		writeFileSync(note, JSON.stringify({...JSON.parse(readFileSync(note, 'utf8')), holder}));
		onTestFinished(async () => {
			person.state().work.cancelReads();
			await editing;
		});
		await person.state().migration.end();
		const after = await restored(person.space);
		const {configuration, edits = [], unparsedText} = after.state().migration.data ?? {};
		if (saved.endsWith(']}')) expect([configuration?.rules, edits.length]).toEqual([[], 2]);
		else expect([unparsedText?.text, edits.length]).toEqual([saved, 1]);
		// What was edited before is in it, and is offered no more by itself.
		expect(after.state().drafts.list).toEqual([]);
	});
});
