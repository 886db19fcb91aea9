import {existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {customRuleList} from '../../../source/screens/custom-rules/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getEntryBuffer} from '../../../source/screens/edit/edit.ts';
import {getEmergencyCommand} from '../../../source/screens/emergency/ending.ts';
import {getTypedExpression} from '../../../source/screens/expression-editor/editing.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {askException} from '../../../source/screens/managed-edit/exceptions.ts';
import {serializeForm} from '../../../source/screens/stepped-form/rule-form.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {isFull} from '../../support/full.ts';
import {migratedSampleZone, openMigratedCustomRules} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createEditingPerson, createOtherPerson} from '../support/editing.ts';
import {
	callMovedZoneAsOther,
	createShopFilter,
	createShopRule,
	shop as firewallShop,
} from '../support/firewall.ts';
import {shop as migrationShop} from '../support/migration-store.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** The content of a form as the user sees it, comparable between two runs. */
type Fields = unknown;

/** One form: how it is opened, what is typed into it, one step after the other, and how it is sent. */
type Form = {
	open(testStore: TestStore): Promise<void>;
	readonly steps: readonly ((testStore: TestStore) => void)[];
	fields(testStore: TestStore): Fields;
	send(testStore: TestStore): Promise<void>;
};

const toTextKeys = (text: string) => [...text].map(character => createTextKey(character));

const typeInEditor = (text: string) =>
	toTextKeys(text).map(key => (testStore: TestStore) => void testStore.state().edits.type(key));
const typeInWizard = (text: string) =>
	toTextKeys(text).map(key => (testStore: TestStore) => void testStore.state().wizard.type(key));
const typeInCustomRule = (text: string) =>
	toTextKeys(text).map(key => (testStore: TestStore) => void testStore.state().customRule.type(key));
const typeInEmergency = (text: string) =>
	toTextKeys(text).map(key => (testStore: TestStore) => void testStore.state().emergency.type(key));
const typeInField = (text: string) =>
	toTextKeys(text).map(key => (testStore: TestStore) => void testStore.state().dialog.typeInField(key));

async function openKey(testStore: TestStore, name: string): Promise<ReturnType<typeof createEditingPerson>> {
	await testStore.openNamespace('CONFIG');
	await createOtherPerson(testStore).put(name, '{"a":1}', {metadata: {v: 1}});
	const person = createEditingPerson(testStore);
	await person.openKey(name);
	return person;
}

const readEditFields = ({state}: TestStore): Fields => {
	const edit = state().edits.list.find(({id}) => id === state().edits.currentId);
	const buffer = edit && getEntryBuffer(edit.entry);
	return buffer && [edit.key, edit.origin, getBufferText(buffer)];
};

async function writeEdit(testStore: TestStore): Promise<void> {
	await testStore.state().review.begin();
	await createEditingPerson(testStore).choose('write');
}

const readWizardFields = ({state}: TestStore): Fields => {
	const wizard = state().wizard.data;
	return wizard && [wizard.purpose.kind, wizard.step, serializeForm(wizard)];
};

async function sendWizard({state, advanceClock}: TestStore): Promise<void> {
	while (state().wizard.data?.step !== 'review') {
		if (state().wizard.data?.step === 'action') state().wizard.chooseAction('block');
		else state().wizard.goToNextStep();
	}
	advanceClock(minReviewMs);
	await state().wizard.send();
}

async function openCustomRule(testStore: TestStore): Promise<void> {
	await openMigratedCustomRules(testStore);
	testStore.state().customRule.begin({kind: 'new'});
	testStore.state().navigation.go('customRule');
}

const readRulesetFormFields =
	(screen: 'customRule' | 'rateLimit') =>
	({state}: TestStore): Fields => {
		const form = state()[screen].data;
		if (!form) return undefined;
		const {purpose, step, editing, action, chosenNames, aboutFields} = form;
		const lines = [
			aboutFields.order,
			aboutFields.description,
			aboutFields.status,
			aboutFields.body,
			aboutFields.ends,
			aboutFields.requests,
			aboutFields.period,
			aboutFields.characteristics,
			aboutFields.timeout,
			aboutFields.counting,
		].map(getBufferText);
		return [purpose.kind, step, getTypedExpression(editing), action, chosenNames, lines, aboutFields.paused];
	};

const sendRulesetForm =
	(screen: 'customRule' | 'rateLimit') =>
	async ({state, advanceClock}: TestStore): Promise<void> => {
		while (state()[screen].data?.step !== 'review') {
			if (state()[screen].data?.step === 'action') state()[screen].chooseAction('block');
			else state()[screen].goToNextStep();
		}
		advanceClock(minReviewMs);
		await state()[screen].send();
	};

const typeInRateLimit = (text: string) =>
	toTextKeys(text).map(key => (testStore: TestStore) => void testStore.state().rateLimit.type(key));

async function openFirewall(testStore: TestStore): Promise<void> {
	testStore.state().firewall.open(firewallShop);
	await testStore.state().firewall.load(testStore.signal);
	testStore.state().navigation.go('firewall');
}

/** Opens the wizard on a new rule or on its new filter. */
const openChange = (kind: 'change rule' | 'change filter') => async (testStore: TestStore) => {
	const filter = await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
	await createShopRule(testStore, filter, {description: 'the first'});
	await openFirewall(testStore);
	const firewall = testStore.state().firewall.data;
	const beginWizard = testStore.state().wizard.begin;
	const {go} = testStore.state().navigation;
	const [rule] = firewall?.rules ?? [];
	const [loadedFilter] = firewall?.filters ?? [];
	if (!rule || !loadedFilter) throw new Error('There is no rule.');
	beginWizard(kind === 'change rule' ? {kind, rule} : {kind, filter: loadedFilter, rulesOnFilter: [rule]});
	go('wizard');
};

const openWizard = (kind: 'new rule' | 'new filter') => async (testStore: TestStore) => {
	await openFirewall(testStore);
	testStore.state().wizard.begin({kind});
	testStore.state().navigation.go('wizard');
};

async function openMigration({state, advanceClock}: TestStore): Promise<void> {
	await state().migration.open(migrationShop);
	state().navigation.go('migration');
	await state().migration.read();
	advanceClock(minReviewMs);
	await state().migration.beginReview();
	state().migration.goToStep('edit');
}

const readMigrationFields = ({state}: TestStore): Fields => {
	const migration = state().migration.data;
	const dialog = state().dialog.current;
	const {at, text} = migration?.unfinished ?? {};
	const unfinishedInput =
		dialog?.kind === 'field' ? [dialog.formInput?.at, getBufferText(dialog.buffer)] : [at, text];
	return migration && [migration.configuration, migration.edits.map(({edit}) => edit), unfinishedInput];
};

async function confirmMigrationReview({state, advanceClock}: TestStore): Promise<void> {
	if (state().dialog.current) state().dialog.close();
	state().migration.forgetUnfinished();
	state().migration.goToStep('review');
	advanceClock(minReviewMs);
	await state().migration.confirmReview();
}

async function openManaged({state}: TestStore): Promise<void> {
	state().managed.open(migratedSampleZone);
	state().navigation.go('managed');
	await state().managed.readAndOfferDraft();
}

const readManagedFields = ({state}: TestStore): Fields => {
	const managed = state().managed.data;
	const dialog = state().dialog.current;
	const {at, text} = managed?.unfinished ?? {};
	const unfinishedInput =
		dialog?.kind === 'field' ? [dialog.formInput?.at, getBufferText(dialog.buffer)] : [at, text];
	return managed && [managed.configuration, managed.edits.map(({edit}) => edit), unfinishedInput];
};

async function sendManaged({state, advanceClock, signal}: TestStore): Promise<void> {
	if (state().dialog.current) state().dialog.close();
	state().managed.getEditor()?.forgetUnfinished();
	state().managed.toStep('review');
	advanceClock(minReviewMs);
	const reviewed = state().managed.getReviewedChange();
	if (reviewed) await state().managed.send(reviewed, migratedSampleZone.name, signal);
}

const forms: Readonly<Record<string, Form>> = {
	value: {
		async open(testStore) {
			(await openKey(testStore, 'user:1')).editValue();
		},
		steps: typeInEditor('some text, and more'),
		fields: readEditFields,
		send: writeEdit,
	},
	metadata: {
		async open(testStore) {
			(await openKey(testStore, 'user:1')).editMetadata();
		},
		steps: [
			testStore => void testStore.state().edits.type(createKey('ctrl-end', '')),
			testStore => void createEditingPerson(testStore).retype('{"v":'),
			...typeInEditor('12345}'),
		],
		fields: readEditFields,
		send: writeEdit,
	},
	expiry: {
		async open(testStore) {
			(await openKey(testStore, 'user:1')).editExpiry();
		},
		steps: typeInEditor('12h'),
		fields: readEditFields,
		send: writeEdit,
	},
	'new key': {
		async open(testStore) {
			(await openKey(testStore, 'user:1')).create('user:2');
		},
		steps: typeInEditor('the value of a new key'),
		fields: readEditFields,
		send: writeEdit,
	},
	'new rule': {
		open: openWizard('new rule'),
		steps: [
			...typeInWizard('ip.src eq 192.0.2.77'),
			({state}) => state().wizard.goToNextStep(),
			({state}) => state().wizard.chooseAction('bypass'),
			({state}) => state().wizard.toggleChoice(),
			({state}) => state().wizard.moveChoiceCursor(2),
			({state}) => state().wizard.toggleChoice(),
			({state}) => state().wizard.goToNextStep(),
			...typeInWizard('15'),
			({state}) => state().wizard.goToNextLine(),
			...typeInWizard('in the evening'),
			({state}) => state().wizard.goToNextStep(),
		],
		fields: readWizardFields,
		send: sendWizard,
	},
	'new filter': {
		open: openWizard('new filter'),
		steps: [
			...typeInWizard('ssl and http.host eq "shop.example"'),
			({state}) => state().wizard.goToNextStep(),
			...typeInWizard('encrypted'),
		],
		fields: readWizardFields,
		send: sendWizard,
	},
	'rule change': {
		open: openChange('change rule'),
		steps: [
			({state}) => state().wizard.goToNextStep(),
			({state}) => state().wizard.chooseAction('challenge'),
			...typeInWizard('7'),
			({state}) => state().wizard.goToNextLine(),
			...typeInWizard(', renamed'),
		],
		fields: readWizardFields,
		send: sendWizard,
	},
	'filter change': {
		open: openChange('change filter'),
		steps: [
			...typeInWizard(' or cf.client.bot'),
			({state}) => state().wizard.goToNextStep(),
			...typeInWizard('two cases'),
		],
		fields: readWizardFields,
		send: sendWizard,
	},
	'custom rule': {
		open: openCustomRule,
		steps: [
			...typeInCustomRule('ip.src eq 192.0.2.78'),
			({state}) => state().customRule.goToNextStep(),
			({state}) => state().customRule.chooseAction('skip'),
			({state}) => state().customRule.toggleChoice(),
			({state}) => state().customRule.goToNextStep(),
			...typeInCustomRule('2'),
			({state}) => state().customRule.goToNextLine(),
			...typeInCustomRule('past the rest'),
			({state}) => state().customRule.goToNextStep(),
		],
		fields: readRulesetFormFields('customRule'),
		send: sendRulesetForm('customRule'),
	},
	'custom rule change': {
		async open(testStore) {
			await openMigratedCustomRules(testStore);
			const rule = customRuleList.getSelectedRule(testStore.state().customRules.data);
			if (rule) testStore.state().customRule.begin({kind: 'change', rule});
			testStore.state().navigation.go('customRule');
		},
		steps: [
			...typeInCustomRule(' or cf.client.bot'),
			({state}) => state().customRule.goToNextStep(),
			({state}) => state().customRule.chooseAction('block'),
			...typeInCustomRule(', renamed'),
			({state}) => state().customRule.goToNextLine(),
			({state}) => state().customRule.goToNextLine(),
			...typeInCustomRule('429'),
			({state}) => state().customRule.goToNextLine(),
			({state}) => state().customRule.goToNextLine(),
			...typeInCustomRule('slow'),
		],
		fields: readRulesetFormFields('customRule'),
		send: sendRulesetForm('customRule'),
	},
	'rate limit': {
		async open(testStore) {
			await openMigratedCustomRules(testStore);
			testStore.state().rateLimits.open(migratedSampleZone);
			await testStore.state().rateLimits.load(testStore.signal);
			testStore.state().rateLimit.begin({kind: 'new'});
			testStore.state().navigation.go('rateLimit');
		},
		steps: [
			...typeInRateLimit('http.request.uri.path eq "/x"'),
			({state}) => state().rateLimit.goToNextStep(),
			({state}) => state().rateLimit.chooseAction('block'),
			...typeInRateLimit('50'),
			({state}) => state().rateLimit.goToNextLine(),
			...typeInRateLimit('10'),
			({state}) => state().rateLimit.goToNextLine(),
			...typeInRateLimit('cf.colo.id'),
			({state}) => state().rateLimit.goToNextLine(),
			...typeInRateLimit('0'),
			({state}) => state().rateLimit.goToNextLine(),
			...typeInRateLimit('ssl'),
			({state}) => state().rateLimit.goToNextStep(),
		],
		fields: readRulesetFormFields('rateLimit'),
		send: sendRulesetForm('rateLimit'),
	},
	emergency: {
		async open(testStore) {
			await openFirewall(testStore);
			testStore.state().emergency.begin();
			testStore.state().navigation.go('emergency');
		},
		steps: [
			...typeInEmergency('ip.src in {192.0.2.0/24}'),
			({state}) => state().emergency.goToNextStep(),
			({state}) => state().emergency.chooseAction('challenge'),
			({state}) => state().emergency.togglePriority(),
		],
		fields: ({state}) => {
			const emergency = state().emergency.data;
			return (
				emergency && [
					getTypedExpression(emergency.editing),
					emergency.action,
					getBufferText(emergency.aboutFields.order),
				]
			);
		},
		async send({state, advanceClock}) {
			while (state().emergency.data?.step !== 'review') state().emergency.goToNextStep();
			advanceClock(minReviewMs);
			await state().emergency.send();
		},
	},
	'migration edits': {
		open: openMigration,
		steps: [
			({state}) => state().migration.applyEdit({kind: 'paranoia level', level: 4}),
			({state}) => state().migration.applyEdit({kind: 'score threshold', points: 30}),
			({state}) => state().migration.applyEdit({kind: 'paranoia level', level: 1}),
			({state}) =>
				state().migration.applyEdit({
					kind: 'exception added',
					exception: {expression: 'ssl', skips: {kind: 'all'}, description: 'all that is encrypted'},
				}),
			({state}) => state().migration.applyEdit({kind: 'rule enabled', rule: 0, enabled: false}),
			({state}) => state().migration.undoEdit(),
			({state}) => state().migration.applyEdit({kind: 'rule removed', rule: 0}),
		],
		fields: readMigrationFields,
		send: confirmMigrationReview,
	},
	'migration exception': {
		open: openMigration,
		steps: [
			({state}) => state().migration.applyEdit({kind: 'paranoia level', level: 4}),
			testStore => {
				askException(createTestApp(testStore));
				const {current: dialog, close: closeDialog} = testStore.state().dialog;
				closeDialog();
				if (dialog?.kind === 'choice') dialog.choose('all');
			},
			...typeInField('ip.src in {192.0.2.0/24}'),
			({state}) => state().dialog.submit(),
			...typeInField('the partners of the shop'),
		],
		fields: readMigrationFields,
		send: confirmMigrationReview,
	},
	'managed changes': {
		open: openManaged,
		steps: [
			({state}) => state().managed.applyEdit({kind: 'score threshold', points: 30}),
			({state}) => state().managed.applyEdit({kind: 'rule enabled', rule: 0, enabled: false}),
			({state}) => state().managed.undoEdit(),
			({state}) =>
				state().managed.applyEdit({kind: 'ruleset deployed', ruleset: managedRulesets.credentials.id}),
		],
		fields: readManagedFields,
		send: sendManaged,
	},
	'managed exception': {
		open: openManaged,
		steps: [
			({state}) => state().managed.applyEdit({kind: 'paranoia level', level: 4}),
			testStore => {
				askException(createTestApp(testStore));
				const {current: dialog, close: closeDialog} = testStore.state().dialog;
				closeDialog();
				if (dialog?.kind === 'choice') dialog.choose('all');
			},
			...typeInField('ip.src in {192.0.2.0/24}'),
			({state}) => state().dialog.submit(),
			...typeInField('the partners'),
		],
		fields: readManagedFields,
		send: sendManaged,
	},
};

const formNames = Object.keys(forms);
const getForm = (name: string): Form => {
	const form = forms[name];
	if (!form) throw new Error(`There is no form "${name}".`);
	return form;
};

const getDraftFolder = ({folder}: TestStore): string => join(folder, 'state', 'drafts');
const listDraftFiles = (testStore: TestStore): string[] =>
	existsSync(getDraftFolder(testStore))
		? readdirSync(getDraftFolder(testStore)).filter(name => name.endsWith('.json'))
		: [];

/** Numbers between 0 and 1 that are the same in each run. */
function createSeededRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

function choose(testStore: TestStore, value: string): void {
	const {current: dialog, close: closeDialog} = testStore.state().dialog;
	if (dialog?.kind !== 'choice')
		throw new Error(`Nothing is asked: ${testStore.state().messages.latest?.text}`);
	closeDialog();
	dialog.choose(value);
}

/** Chooses what to do with the offered draft, and waits until that is done. */
async function chooseOffer(testStore: TestStore, value: 'open' | 'later' | 'discard'): Promise<void> {
	choose(testStore, value);
	await testStore.until(({work: {list: work}}) => work.every(({kind}) => kind !== 'read'));
}

/** Opens a form, types everything into it, and saves its draft. */
async function saveTypedDraft(name: string, testStore = createTestStore()): Promise<TestStore> {
	const {open, steps} = getForm(name);
	await open(testStore);
	for (const step of steps) step(testStore);
	testStore.state().drafts.save();
	return testStore;
}

/** Starts ledge again on the same files. */
async function restart(before: TestStore): Promise<TestStore> {
	await before.state().migration.end();
	const after = createTestStore({simulate: true}, {previousStore: before});
	await after.state().connection.loadConnection();
	return after;
}

afterEach(() => void vi.useRealTimers());

describe.each(formNames)('%s', name => {
	const {open, steps, fields, send} = getForm(name);

	test.each(
		isFull ? [1, 2, 3] : [1],
	)('interrupted while typing (seed %i) loses no more than a second', async seed => {
		const random = createSeededRandom(seed);
		const before = createTestStore();
		await open(before);
		// Saving ends the pending timer of the real clock.
		before.state().drafts.save();
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		let time = 0;
		const fieldHistory = [{until: 0, fields: fields(before)}];
		const typedStepCount = 1 + Math.floor(random() * steps.length);
		for (const step of steps.slice(0, typedStepCount)) {
			step(before);
			const last = fieldHistory.at(-1);
			if (last) last.until = time;
			fieldHistory.push({until: Number.POSITIVE_INFINITY, fields: fields(before)});
			const pause = Math.floor(random() * 300);
			time += pause;
			vi.advanceTimersByTime(pause);
			await before.state().drafts.waitForWrites();
		}
		vi.useRealTimers();
		const after = await restart(before);
		offerDrafts(after);
		const acceptableFields = fieldHistory.filter(({until}) => until >= time - 1000).map(one => one.fields);
		const isOffered = after.state().dialog.current !== undefined;
		if (isOffered) await chooseOffer(after, 'open');
		expect(acceptableFields).toContainEqual(isOffered ? fields(after) : fieldHistory[0]?.fields);
	});

	test('is offered at the next start, and restored unchanged', async () => {
		const before = await saveTypedDraft(name);
		const after = await restart(before);
		offerDrafts(after);
		expect(after.state().dialog.current).toMatchObject({
			kind: 'choice',
			title: expect.stringContaining('just now'),
		});
		await chooseOffer(after, 'open');
		expect(fields(after)).toEqual(fields(before));
		expect(listDraftFiles(after)).toHaveLength(1);
		expect(after.state().drafts.list).toEqual([]);
		await after.state().migration.end();
	});

	test('is in a file and a folder accessible only to their owner', async () => {
		const testStore = await saveTypedDraft(name);
		const [file = ''] = listDraftFiles(testStore);
		const modes = [getDraftFolder(testStore), join(getDraftFolder(testStore), file)].map(
			path => statSync(path).mode & 0o777,
		);
		expect(modes).toEqual([0o700, 0o600]);
		expect(readFileSync(join(getDraftFolder(testStore), file), 'utf8')).not.toContain('Bearer');
		await testStore.state().migration.end();
	});

	test('no longer has a file after being discarded', async () => {
		const after = await restart(await saveTypedDraft(name));
		offerDrafts(after);
		await chooseOffer(after, 'discard');
		expect(after.state().messages.latest?.text).toMatch(/^Discarded the draft: /);
		expect(listDraftFiles(after)).toEqual([]);
		expect(after.state().dialog.current).toBeUndefined();
	});

	test('no longer has a file after being sent', async () => {
		const testStore = await saveTypedDraft(name);
		expect(listDraftFiles(testStore)).toHaveLength(1);
		await send(testStore);
		expect([listDraftFiles(testStore), testStore.state().messages.latest?.text ?? '']).toEqual([
			[],
			expect.anything(),
		]);
		await testStore.state().migration.end();
	});

	test('is listed on Home if kept for later, and can be opened there', async () => {
		const before = await saveTypedDraft(name);
		const after = await restart(before);
		offerDrafts(after);
		await chooseOffer(after, 'later');
		const entry = buildHomeEntries(after.state()).find(({value}) => value === 'drafts');
		expect(entry?.label).toMatch(/^Draft +.*(acme[-.]|CONFIG).* \(simulated\), just now$/);
		entry?.open(createTestApp(after));
		await chooseOffer(after, 'open');
		expect(fields(after)).toEqual(fields(before));
		expect(buildHomeEntries(after.state()).find(({label}) => label.includes('just now'))).toBeUndefined();
		await after.state().migration.end();
	});

	test('is neither offered nor removed while another ledge is typing into it', async () => {
		const before = await saveTypedDraft(name);
		const [file = ''] = listDraftFiles(before);
		const path = join(getDraftFolder(before), file);
		const theirPath = path.replace(/-[0-9a-f]{12}\.json$/, '-0123456789ab.json');
		const holder = {pid: process.ppid, host: hostname(), started: null};
		writeFileSync(theirPath, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), holder}));
		rmSync(path);
		const after = await restart(before);
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().drafts.list).toEqual([]);
		expect(existsSync(theirPath)).toBe(true);
	});

	test('of an unknown version is reported once, and moved aside', async () => {
		const before = await saveTypedDraft(name);
		const [file = ''] = listDraftFiles(before);
		const path = join(getDraftFolder(before), file);
		const storedDraft = JSON.parse(readFileSync(path, 'utf8'));
		writeFileSync(path, JSON.stringify({...storedDraft, form: {...storedDraft.form, version: 99}}));
		const after = await restart(before);
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().messages.latest).toMatchObject({kind: 'failed', failure: {code: 'input_malformed'}});
		expect([listDraftFiles(after), existsSync(`${path}.unreadable`)]).toEqual([[], true]);
		const secondRestart = await restart(before);
		offerDrafts(secondRestart);
		expect(secondRestart.state().messages.latest).toBeUndefined();
	});

	test.each([
		'a list',
		'a number',
		'nothing',
	])('with %s in place of any field never causes a crash', async kind => {
		const before = await saveTypedDraft(name);
		const [file = ''] = listDraftFiles(before);
		const path = join(getDraftFolder(before), file);
		const storedDraft = JSON.parse(readFileSync(path, 'utf8'));
		const wrongValue = {'a list': [{}], 'a number': 7, nothing: null}[kind];
		for (const field of Object.keys(storedDraft.fields)) {
			const after = await restart(before);
			writeFileSync(
				path,
				JSON.stringify({...storedDraft, fields: {...storedDraft.fields, [field]: wrongValue}}),
			);
			offerDrafts(after);
			if (after.state().dialog.current) choose(after, 'discard');
			else expect(after.state().messages.latest).toMatchObject({kind: 'failed'});
			expect(listDraftFiles(after)).toEqual([]);
		}
	});
});

test('an emergency draft in the older format is restored', async () => {
	const before = await saveTypedDraft('emergency');
	const [file = ''] = listDraftFiles(before);
	const path = join(getDraftFolder(before), file);
	const storedDraft = JSON.parse(readFileSync(path, 'utf8'));
	const {step: _step, paused: _paused, ...fields} = storedDraft.fields;
	writeFileSync(path, JSON.stringify({...storedDraft, fields: {...fields, stage: 'send'}}));
	const after = await restart(before);
	offerDrafts(after);
	await chooseOffer(after, 'open');
	expect(getForm('emergency').fields(after)).toEqual(getForm('emergency').fields(before));
	expect(after.state().emergency.data).toMatchObject({step: 'review', requests: [{method: 'POST'}]});
});

test('a restored emergency prints its undo command with the options of the session', async () => {
	const after = await restart(await saveTypedDraft('emergency'));
	offerDrafts(after);
	await chooseOffer(after, 'open');
	await getForm('emergency').send?.(after);
	const emergency = after.state().emergency.data;
	expect(emergency && getEmergencyCommand(emergency)).toMatch(
		/^ledge firewall rule delete [0-9a-f]{32} --zone-id [0-9a-f]{32} --simulate$/,
	);
});

describe('changes made since a draft was typed', () => {
	test('to a rule are reported when its draft is restored, and nothing is overwritten', async () => {
		const before = await saveTypedDraft('rule change');
		const [rule] = before.state().firewall.data?.rules ?? [];
		await callMovedZoneAsOther(before, 'PATCH', `/firewall/rules/${rule?.id}`, {id: rule?.id, priority: 3});
		const after = await restart(before);
		offerDrafts(after);
		await chooseOffer(after, 'open');
		expect(after.state().messages.latest?.text).toContain('The rule was changed after this draft was saved');
		await sendWizard(after);
		expect(after.state().wizard.data?.phase).toMatchObject({ending: {state: 'changed meanwhile'}});
		expect(listDraftFiles(after)).toHaveLength(1);
	});

	test('to a configuration are reported when its edits are restored', async () => {
		const before = await saveTypedDraft('migration edits');
		const [file = ''] = listDraftFiles(before);
		const path = join(getDraftFolder(before), file);
		const storedDraft = JSON.parse(readFileSync(path, 'utf8'));
		const start = {...storedDraft.fields.start, rules: storedDraft.fields.start.rules.slice(1)};
		const edits = [{kind: 'score threshold', points: 31}];
		const fields = {...storedDraft.fields, proposal: start, start, edits};
		writeFileSync(path, JSON.stringify({...storedDraft, fields}));
		const after = await restart(before);
		offerDrafts(after);
		await chooseOffer(after, 'open');
		expect(after.state().messages.latest?.text).toContain(
			'Changed by others since: 1 difference. Your edits now apply',
		);
		await after.state().migration.end();
	});
});

describe('a form that was being sent when ledge quit', () => {
	test('says so before it can be sent again', async () => {
		const before = createTestStore();
		await saveTypedDraft('new rule', before);
		before.simulator.faults.replace('method=POST latency=100000');
		before.advanceClock(minReviewMs);
		void before.state().wizard.send();
		await before.until(({wizard: {data: wizard}}) => wizard?.phase.name === 'sending');
		before.state().drafts.save();
		const after = await restart(before);
		offerDrafts(after);
		expect(after.state().dialog.current).toMatchObject({
			title: expect.stringContaining('was being sent when ledge quit'),
			lines: expect.arrayContaining([expect.stringContaining('It may be active')]),
		});
		before.state().wizard.operations.cancel();
		before.simulator.faults.replace('');
	});
});

describe('leaving a form', () => {
	test.each([
		'new rule',
		'emergency',
		'migration edits',
	])('(%s) keeps a draft, or discards it on request', async name => {
		const {open, steps} = getForm(name);
		for (const keepsDraft of [true, false]) {
			const testStore = createTestStore();
			await open(testStore);
			for (const step of steps.slice(0, 4)) step(testStore);
			const wizardForm = testStore.state().wizard.operations;
			const emergencyForm = testStore.state().emergency.operations;
			const {leave: leaveMigration, discard: discardMigration} = testStore.state().migration;
			const leaveMethod = keepsDraft ? 'leave' : 'discard';
			if (name === 'new rule') wizardForm[leaveMethod]();
			else if (name === 'emergency') emergencyForm[leaveMethod]();
			else (keepsDraft ? leaveMigration : discardMigration)();
			expect(listDraftFiles(testStore)).toHaveLength(keepsDraft ? 1 : 0);
			testStore.state().drafts.refresh();
			expect(testStore.state().drafts.list).toHaveLength(keepsDraft ? 1 : 0);
		}
	});

	test('for two rules of one zone keeps two drafts', async () => {
		const testStore = createTestStore();
		await openFirewall(testStore);
		for (const expression of ['ssl', 'not ssl']) {
			testStore.state().wizard.begin({kind: 'new rule'});
			testStore.state().navigation.go('wizard');
			for (const step of typeInWizard(expression)) step(testStore);
			testStore.state().wizard.operations.leave();
		}
		testStore.state().drafts.refresh();
		const offered = testStore.state().drafts.list.flatMap(({offer}) => offer.lines);
		expect(offered).toEqual(expect.arrayContaining(['ssl', 'not ssl']));
	});
});

describe('starting ledge', () => {
	test('reports the drafts in one line, asks nothing, and U opens them', async () => {
		const before = createTestStore();
		await openFirewall(before);
		for (const expression of ['ssl', 'not ssl']) {
			before.state().wizard.begin({kind: 'new rule'});
			before.state().navigation.go('wizard');
			for (const step of typeInWizard(expression)) step(before);
			before.state().wizard.operations.leave();
		}
		const after = await restart(before);
		after.state().drafts.announce();
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().messages.latest).toMatchObject({kind: 'said', text: '2 drafts: U opens them.'});
		dispatch(createTestApp(after), createTextKey('U'));
		const dialog = after.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('U asks nothing.');
		expect(dialog.title).toBe('2 drafts');
		for (const {label} of dialog.choices) expect(label).toContain('(simulated)');
		choose(after, dialog.choices[0]?.value ?? '');
		expect(listChoices(after)).toEqual(['open', 'later', 'discard']);
	});

	test('a question about a draft offers to resume it first, and to discard it last', async () => {
		const after = await restart(await saveTypedDraft('new rule'));
		after.state().drafts.refresh();
		const [listedDraft] = after.state().drafts.list;
		const draftQuery = {kind: listedDraft?.draft.form.kind ?? '', zone: listedDraft?.draft.target.zone ?? ''};
		let isOpened = false;
		after.state().drafts.offerAll(draftQuery, () => {
			isOpened = true;
		});
		expect(listChoices(after)).toEqual(['open', 'later', 'discard']);
		choose(after, 'later');
		expect([isOpened, listDraftFiles(after).length]).toEqual([true, 1]);
	});
});

const listChoices = ({state}: TestStore): readonly string[] => {
	const dialog = state().dialog.current;
	return dialog?.kind === 'choice' ? dialog.choices.map(({value}) => value) : [];
};
