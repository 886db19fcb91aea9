import {existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {getSelectedCustomRule} from '../../../source/screens/custom-rules/state.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {getTypedExpression} from '../../../source/screens/expression-editor/editing.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {askException} from '../../../source/screens/managed-edit/exceptions.ts';
import {serializeForm} from '../../../source/screens/stepped-form/rule-form.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {isFull} from '../../support/full.ts';
import {migrated, openedCustomRules} from '../support/custom-rules.ts';
import {appOf} from '../support/drawn.tsx';
import {personAt, someoneElse} from '../support/editing.ts';
import {behind, filterMade, shop as firewallShop, ruleMade} from '../support/firewall.ts';
import {shop as migrationShop} from '../support/migration-store.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** Reads a draft's form as a person sees it, so that two runs can be compared. */
type Fields = unknown;

/** One form: how it is opened, what is typed into it, one step after the other, and how it is sent. */
type Form = {
	open(space: TestStore): Promise<void>;
	readonly steps: readonly ((space: TestStore) => void)[];
	fields(space: TestStore): Fields;
	send(space: TestStore): Promise<void>;
};

const keysOf = (text: string) => [...text].map(character => createTextKey(character));

const typeInEditor = (text: string) =>
	keysOf(text).map(key => (space: TestStore) => void space.state().edits.type(key));
const typeInWizard = (text: string) =>
	keysOf(text).map(key => (space: TestStore) => void space.state().wizard.type(key));
const typeInCustomRule = (text: string) =>
	keysOf(text).map(key => (space: TestStore) => void space.state().customRule.type(key));
const typeInEmergency = (text: string) =>
	keysOf(text).map(key => (space: TestStore) => void space.state().emergency.type(key));
const typeInField = (text: string) =>
	keysOf(text).map(key => (space: TestStore) => void space.state().dialog.typeInField(key));

async function openKey(space: TestStore, name: string): Promise<ReturnType<typeof personAt>> {
	await space.openNamespace('CONFIG');
	await someoneElse(space).put(name, '{"a":1}', {metadata: {v: 1}});
	const person = personAt(space);
	await person.openKey(name);
	return person;
}

const editFields = ({state}: TestStore): Fields => {
	const edit = state().edits.list.find(({id}) => id === state().edits.currentId);
	return edit && edit.entry.kind !== 'bytes'
		? [edit.key, edit.origin, getBufferText(edit.entry.buffer)]
		: undefined;
};

async function writeEdit(space: TestStore): Promise<void> {
	await space.state().review.begin();
	await personAt(space).choose('write');
}

const wizardFields = ({state}: TestStore): Fields => {
	const wizard = state().wizard.data;
	return wizard && [wizard.purpose.kind, wizard.step, serializeForm(wizard)];
};

async function sendWizard({state, passes}: TestStore): Promise<void> {
	while (state().wizard.data?.step !== 'review') {
		if (state().wizard.data?.step === 'action') state().wizard.chooseAction('block');
		else state().wizard.goToNextStep();
	}
	passes(minReviewMs);
	await state().wizard.send();
}

async function openCustomRule(space: TestStore): Promise<void> {
	await openedCustomRules(space);
	space.state().customRule.begin({kind: 'new'});
	space.state().navigation.go('customRule');
}

const customRuleFields = ({state}: TestStore): Fields => {
	const form = state().customRule.data;
	if (!form) return undefined;
	const {purpose, step, editing, action, chosenNames, aboutFields} = form;
	const lines = [aboutFields.order, aboutFields.description, aboutFields.status, aboutFields.body].map(
		getBufferText,
	);
	return [purpose.kind, step, getTypedExpression(editing), action, chosenNames, lines, aboutFields.paused];
};

async function sendCustomRule({state, passes}: TestStore): Promise<void> {
	while (state().customRule.data?.step !== 'review') {
		if (state().customRule.data?.step === 'action') state().customRule.chooseAction('block');
		else state().customRule.goToNextStep();
	}
	passes(minReviewMs);
	await state().customRule.send();
}

async function openFirewall(space: TestStore): Promise<void> {
	space.state().firewall.open(firewallShop);
	await space.state().firewall.load(space.signal);
	space.state().navigation.go('firewall');
}

/** The wizard on a rule, or on a filter, that is made for it. */
const change = (kind: 'change rule' | 'change filter') => async (space: TestStore) => {
	const filter = await filterMade(space, 'ip.src eq 192.0.2.1');
	await ruleMade(space, filter, {description: 'the first'});
	await openFirewall(space);
	const firewall = space.state().firewall.data;
	const beginWizard = space.state().wizard.begin;
	const {go} = space.state().navigation;
	const [rule] = firewall?.rules ?? [];
	const [own] = firewall?.filters ?? [];
	if (!rule || !own) throw new Error('There is no rule.');
	beginWizard(kind === 'change rule' ? {kind, rule} : {kind, filter: own, rulesOnFilter: [rule]});
	go('wizard');
};

const openWizard = (kind: 'new rule' | 'new filter') => async (space: TestStore) => {
	await openFirewall(space);
	space.state().wizard.begin({kind});
	space.state().navigation.go('wizard');
};

async function openMigration({state, passes}: TestStore): Promise<void> {
	await state().migration.open(migrationShop);
	state().navigation.go('migration');
	await state().migration.read();
	passes(minReviewMs);
	await state().migration.beginReview();
	state().migration.goToStep('edit');
}

const migrationFields = ({state}: TestStore): Fields => {
	const migration = state().migration.data;
	const dialog = state().dialog.current;
	const {at, text} = migration?.unfinished ?? {};
	const front = dialog?.kind === 'field' ? [dialog.formInput?.at, getBufferText(dialog.buffer)] : [at, text];
	return migration && [migration.configuration, migration.edits.map(({edit}) => edit), front];
};

async function review({state, passes}: TestStore): Promise<void> {
	if (state().dialog.current) state().dialog.close();
	state().migration.forgetUnfinished();
	state().migration.goToStep('review');
	passes(minReviewMs);
	await state().migration.confirmReview();
}

async function openManaged({state}: TestStore): Promise<void> {
	state().managed.open(migrated);
	state().navigation.go('managed');
	await state().managed.readAndOfferDraft();
}

const managedFields = ({state}: TestStore): Fields => {
	const managed = state().managed.data;
	const dialog = state().dialog.current;
	const {at, text} = managed?.unfinished ?? {};
	const front = dialog?.kind === 'field' ? [dialog.formInput?.at, getBufferText(dialog.buffer)] : [at, text];
	return managed && [managed.configuration, managed.edits.map(({edit}) => edit), front];
};

async function sendManaged({state, passes, signal}: TestStore): Promise<void> {
	if (state().dialog.current) state().dialog.close();
	state().managed.getEditor()?.forgetUnfinished();
	state().managed.toStep('review');
	passes(minReviewMs);
	const reviewed = state().managed.getReviewedChange();
	if (reviewed) await state().managed.send(reviewed, migrated.name, signal);
}

const forms: Readonly<Record<string, Form>> = {
	value: {
		async open(space) {
			(await openKey(space, 'user:1')).editValue();
		},
		steps: typeInEditor('some text, and more'),
		fields: editFields,
		send: writeEdit,
	},
	metadata: {
		async open(space) {
			(await openKey(space, 'user:1')).editMetadata();
		},
		steps: [
			space => void space.state().edits.type(createKey('ctrl-end', '')),
			space => void personAt(space).retype('{"v":'),
			...typeInEditor('12345}'),
		],
		fields: editFields,
		send: writeEdit,
	},
	expiry: {
		async open(space) {
			(await openKey(space, 'user:1')).editExpiry();
		},
		steps: typeInEditor('12h'),
		fields: editFields,
		send: writeEdit,
	},
	'new key': {
		async open(space) {
			(await openKey(space, 'user:1')).create('user:2');
		},
		steps: typeInEditor('the value of a new key'),
		fields: editFields,
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
		fields: wizardFields,
		send: sendWizard,
	},
	'new filter': {
		open: openWizard('new filter'),
		steps: [
			...typeInWizard('ssl and http.host eq "shop.example"'),
			({state}) => state().wizard.goToNextStep(),
			...typeInWizard('encrypted'),
		],
		fields: wizardFields,
		send: sendWizard,
	},
	'rule change': {
		open: change('change rule'),
		steps: [
			({state}) => state().wizard.chooseAction('challenge'),
			...typeInWizard('7'),
			({state}) => state().wizard.goToNextLine(),
			...typeInWizard(', renamed'),
		],
		fields: wizardFields,
		send: sendWizard,
	},
	'filter change': {
		open: change('change filter'),
		steps: [
			...typeInWizard(' or cf.client.bot'),
			({state}) => state().wizard.goToNextStep(),
			...typeInWizard('two cases'),
		],
		fields: wizardFields,
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
		fields: customRuleFields,
		send: sendCustomRule,
	},
	'custom rule change': {
		async open(space) {
			await openedCustomRules(space);
			const rule = getSelectedCustomRule(space.state().customRules.data);
			if (rule) space.state().customRule.begin({kind: 'change', rule});
			space.state().navigation.go('customRule');
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
		fields: customRuleFields,
		send: sendCustomRule,
	},
	emergency: {
		async open(space) {
			await openFirewall(space);
			space.state().emergency.begin();
			space.state().navigation.go('emergency');
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
		async send({state, passes}) {
			while (state().emergency.data?.step !== 'review') state().emergency.goToNextStep();
			passes(minReviewMs);
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
		fields: migrationFields,
		send: review,
	},
	'migration exception': {
		open: openMigration,
		steps: [
			({state}) => state().migration.applyEdit({kind: 'paranoia level', level: 4}),
			space => {
				askException(appOf(space));
				const {current: dialog, close: closeDialog} = space.state().dialog;
				closeDialog();
				if (dialog?.kind === 'choice') dialog.choose('all');
			},
			...typeInField('ip.src in {192.0.2.0/24}'),
			({state}) => state().dialog.submit(),
			...typeInField('the partners of the shop'),
		],
		fields: migrationFields,
		send: review,
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
		fields: managedFields,
		send: sendManaged,
	},
	'managed exception': {
		open: openManaged,
		steps: [
			({state}) => state().managed.applyEdit({kind: 'paranoia level', level: 4}),
			space => {
				askException(appOf(space));
				const {current: dialog, close: closeDialog} = space.state().dialog;
				closeDialog();
				if (dialog?.kind === 'choice') dialog.choose('all');
			},
			...typeInField('ip.src in {192.0.2.0/24}'),
			({state}) => state().dialog.submit(),
			...typeInField('the partners'),
		],
		fields: managedFields,
		send: sendManaged,
	},
};

const names = Object.keys(forms);
const formOf = (name: string): Form => {
	const form = forms[name];
	if (!form) throw new Error(`There is no form "${name}".`);
	return form;
};

const draftFolder = ({folder}: TestStore): string => join(folder, 'state', 'drafts');
const draftFiles = (space: TestStore): string[] =>
	existsSync(draftFolder(space))
		? readdirSync(draftFolder(space)).filter(name => name.endsWith('.json'))
		: [];

/** Numbers between 0 and 1 that are the same in each run. */
function fixedNumbers(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

function choose(space: TestStore, value: string): void {
	const {current: dialog, close: closeDialog} = space.state().dialog;
	if (dialog?.kind !== 'choice') throw new Error(`Nothing is asked: ${space.state().messages.latest?.text}`);
	closeDialog();
	dialog.choose(value);
}

/** Takes the way of the first offer, and waits until that is done. */
async function take(space: TestStore, value: 'open' | 'later' | 'discard'): Promise<void> {
	choose(space, value);
	await space.until(({work: {list: work}}) => work.every(({kind}) => kind !== 'read'));
}

/** A form into which everything was typed, on disk. */
async function typedInto(name: string, space = createTestStore()): Promise<TestStore> {
	const {open, steps} = formOf(name);
	await open(space);
	for (const step of steps) step(space);
	space.state().drafts.save();
	return space;
}

/** The next start, of the same process or of another one that is gone. */
async function startedAgain(before: TestStore): Promise<TestStore> {
	await before.state().migration.end();
	const after = createTestStore({simulate: true}, {after: before});
	await after.state().connection.loadConnection();
	return after;
}

afterEach(() => void vi.useRealTimers());

describe.each(names)('%s', name => {
	const {open, steps, fields, send} = formOf(name);

	test.each(
		isFull ? [1, 2, 3] : [1],
	)('interrupted while typing (seed %i) loses no more than a second', async seed => {
		const random = fixedNumbers(seed);
		const before = createTestStore();
		await open(before);
		// No timer of the real clock is left.
		before.state().drafts.save();
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		let time = 0;
		const seen = [{until: 0, fields: fields(before)}];
		const cut = 1 + Math.floor(random() * steps.length);
		for (const step of steps.slice(0, cut)) {
			step(before);
			const last = seen.at(-1);
			if (last) last.until = time;
			seen.push({until: Number.POSITIVE_INFINITY, fields: fields(before)});
			const pause = Math.floor(random() * 300);
			time += pause;
			vi.advanceTimersByTime(pause);
			await before.state().drafts.waitForWrites();
		}
		vi.useRealTimers();
		const after = await startedAgain(before);
		offerDrafts(after);
		const kept = seen.filter(({until}) => until >= time - 1000).map(one => one.fields);
		const isOffered = after.state().dialog.current !== undefined;
		if (isOffered) await take(after, 'open');
		expect(kept).toContainEqual(isOffered ? fields(after) : seen[0]?.fields);
	});

	test('is offered at the next start, and restored unchanged', async () => {
		const before = await typedInto(name);
		const after = await startedAgain(before);
		offerDrafts(after);
		expect(after.state().dialog.current).toMatchObject({
			kind: 'choice',
			title: expect.stringContaining('just now'),
		});
		await take(after, 'open');
		expect(fields(after)).toEqual(fields(before));
		expect(draftFiles(after)).toHaveLength(1);
		expect(after.state().drafts.list).toEqual([]);
		await after.state().migration.end();
	});

	test('is in a file and a folder accessible only to us', async () => {
		const space = await typedInto(name);
		const [file = ''] = draftFiles(space);
		const modes = [draftFolder(space), join(draftFolder(space), file)].map(
			path => statSync(path).mode & 0o777,
		);
		expect(modes).toEqual([0o700, 0o600]);
		expect(readFileSync(join(draftFolder(space), file), 'utf8')).not.toContain('Bearer');
		await space.state().migration.end();
	});

	test('no longer has a file after being discarded', async () => {
		const after = await startedAgain(await typedInto(name));
		offerDrafts(after);
		await take(after, 'discard');
		expect(draftFiles(after)).toEqual([]);
		expect(after.state().dialog.current).toBeUndefined();
	});

	test('no longer has a file after being sent', async () => {
		const space = await typedInto(name);
		expect(draftFiles(space)).toHaveLength(1);
		await send(space);
		expect([draftFiles(space), space.state().messages.latest?.text ?? '']).toEqual([[], expect.anything()]);
		await space.state().migration.end();
	});

	test('is listed on Home if kept for later, and can be opened there', async () => {
		const before = await typedInto(name);
		const after = await startedAgain(before);
		offerDrafts(after);
		await take(after, 'later');
		const entry = buildHomeEntries(after.state()).find(({value}) => value === 'drafts');
		expect(entry?.label).toMatch(/^Draft +.*(acme[-.]|CONFIG).* \(simulated\), just now$/);
		entry?.open(appOf(after));
		await take(after, 'open');
		expect(fields(after)).toEqual(fields(before));
		expect(buildHomeEntries(after.state()).find(({label}) => label.includes('just now'))).toBeUndefined();
		await after.state().migration.end();
	});

	test('is neither offered nor removed while another ledge is typing into it', async () => {
		const before = await typedInto(name);
		const [file = ''] = draftFiles(before);
		const path = join(draftFolder(before), file);
		const theirs = path.replace(/-[0-9a-f]{12}\.json$/, '-0123456789ab.json');
		const holder = {pid: process.ppid, host: hostname(), started: null};
		writeFileSync(theirs, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), holder}));
		rmSync(path);
		const after = await startedAgain(before);
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().drafts.list).toEqual([]);
		expect(existsSync(theirs)).toBe(true);
	});

	test('with unreadable fields is reported once, moved aside, and blocks nobody', async () => {
		const before = await typedInto(name);
		const [file = ''] = draftFiles(before);
		const path = join(draftFolder(before), file);
		const whole = JSON.parse(readFileSync(path, 'utf8'));
		writeFileSync(path, JSON.stringify({...whole, form: {...whole.form, version: 99}}));
		const after = await startedAgain(before);
		offerDrafts(after);
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().messages.latest).toMatchObject({kind: 'failed', failure: {code: 'input_malformed'}});
		expect([draftFiles(after), existsSync(`${path}.unreadable`)]).toEqual([[], true]);
		const again = await startedAgain(before);
		offerDrafts(again);
		expect(again.state().messages.latest).toBeUndefined();
	});

	test.each([
		'a list',
		'a number',
		'nothing',
	])('with %s in place of any field never causes a crash', async kind => {
		const before = await typedInto(name);
		const [file = ''] = draftFiles(before);
		const path = join(draftFolder(before), file);
		const whole = JSON.parse(readFileSync(path, 'utf8'));
		const other = {'a list': [{}], 'a number': 7, nothing: null}[kind];
		for (const field of Object.keys(whole.fields)) {
			const after = await startedAgain(before);
			writeFileSync(path, JSON.stringify({...whole, fields: {...whole.fields, [field]: other}}));
			offerDrafts(after);
			if (after.state().dialog.current) choose(after, 'discard');
			else expect(after.state().messages.latest).toMatchObject({kind: 'failed'});
			expect(draftFiles(after)).toEqual([]);
		}
	});
});

test('an emergency draft in the older format is restored', async () => {
	const before = await typedInto('emergency');
	const [file = ''] = draftFiles(before);
	const path = join(draftFolder(before), file);
	const whole = JSON.parse(readFileSync(path, 'utf8'));
	const {step: _step, paused: _paused, ...fields} = whole.fields;
	writeFileSync(path, JSON.stringify({...whole, fields: {...fields, stage: 'send'}}));
	const after = await startedAgain(before);
	offerDrafts(after);
	await take(after, 'open');
	expect(formOf('emergency').fields(after)).toEqual(formOf('emergency').fields(before));
	expect(after.state().emergency.data).toMatchObject({step: 'review', requests: [{method: 'POST'}]});
});

describe('changes made since a draft was typed', () => {
	test('to a rule are reported when its draft is restored, and nothing is overwritten', async () => {
		const before = await typedInto('rule change');
		const [rule] = before.state().firewall.data?.rules ?? [];
		await behind(before, 'PATCH', `/firewall/rules/${rule?.id}`, {id: rule?.id, priority: 3});
		const after = await startedAgain(before);
		offerDrafts(after);
		await take(after, 'open');
		expect(after.state().messages.latest?.text).toContain('The rule was changed after this draft was saved');
		await sendWizard(after);
		expect(after.state().wizard.data?.phase).toMatchObject({ending: {state: 'changed meanwhile'}});
		expect(draftFiles(after)).toHaveLength(1);
	});

	test('to a configuration are reported when its edits are restored', async () => {
		const before = await typedInto('migration edits');
		const [file = ''] = draftFiles(before);
		const path = join(draftFolder(before), file);
		const whole = JSON.parse(readFileSync(path, 'utf8'));
		const start = {...whole.fields.start, rules: whole.fields.start.rules.slice(1)};
		const edits = [{kind: 'score threshold', points: 31}];
		writeFileSync(path, JSON.stringify({...whole, fields: {...whole.fields, start, edits}}));
		const after = await startedAgain(before);
		offerDrafts(after);
		await take(after, 'open');
		expect(after.state().messages.latest?.text).toContain(
			'Changed by others since: 1 difference. Your edits now apply',
		);
		await after.state().migration.end();
	});
});

describe('a form that was being sent when ledge quit', () => {
	test('says so before it can be sent again', async () => {
		const before = createTestStore();
		await typedInto('new rule', before);
		before.simulator.faults.replace('method=POST latency=100000');
		before.passes(minReviewMs);
		void before.state().wizard.send();
		await before.until(({wizard: {data: wizard}}) => wizard?.phase.name === 'sending');
		before.state().drafts.save();
		const after = await startedAgain(before);
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
		const {open, steps} = formOf(name);
		for (const keeps of [true, false]) {
			const space = createTestStore();
			await open(space);
			for (const step of steps.slice(0, 4)) step(space);
			const wizardForm = space.state().wizard.operations;
			const emergencyForm = space.state().emergency.operations;
			const {leave: leaveMigration, discard: discardMigration} = space.state().migration;
			const left = keeps ? 'leave' : 'discard';
			if (name === 'new rule') wizardForm[left]();
			else if (name === 'emergency') emergencyForm[left]();
			else (keeps ? leaveMigration : discardMigration)();
			expect(draftFiles(space)).toHaveLength(keeps ? 1 : 0);
			space.state().drafts.refresh();
			expect(space.state().drafts.list).toHaveLength(keeps ? 1 : 0);
		}
	});

	test('for two rules of one zone keeps two drafts', async () => {
		const space = createTestStore();
		await openFirewall(space);
		for (const expression of ['ssl', 'not ssl']) {
			space.state().wizard.begin({kind: 'new rule'});
			space.state().navigation.go('wizard');
			for (const step of typeInWizard(expression)) step(space);
			space.state().wizard.operations.leave();
		}
		space.state().drafts.refresh();
		const offered = space.state().drafts.list.flatMap(({offer}) => offer.lines);
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
		const after = await startedAgain(before);
		after.state().drafts.announce();
		expect(after.state().dialog.current).toBeUndefined();
		expect(after.state().messages.latest).toMatchObject({kind: 'said', text: '2 drafts: U opens them.'});
		dispatch(appOf(after), createTextKey('U'));
		const dialog = after.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('U asks nothing.');
		expect(dialog.title).toBe('2 drafts');
		for (const {label} of dialog.choices) expect(label).toContain('(simulated)');
		choose(after, dialog.choices[0]?.value ?? '');
		expect(choicesOf(after)).toEqual(['open', 'later', 'discard']);
	});

	test('a question about a draft offers to keep it first, and to discard it last', async () => {
		const after = await startedAgain(await typedInto('new rule'));
		after.state().drafts.refresh();
		const [left] = after.state().drafts.list;
		const about = {kind: left?.draft.form.kind ?? '', zone: left?.draft.target.zone ?? ''};
		let isOpened = false;
		after.state().drafts.offerAll(about, () => {
			isOpened = true;
		});
		expect(choicesOf(after)).toEqual(['later', 'open', 'discard']);
		choose(after, 'later');
		expect([isOpened, draftFiles(after).length]).toEqual([true, 1]);
	});
});

const choicesOf = ({state}: TestStore): readonly string[] => {
	const dialog = state().dialog.current;
	return dialog?.kind === 'choice' ? dialog.choices.map(({value}) => value) : [];
};
