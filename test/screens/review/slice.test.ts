import {describe, expect, test} from 'vitest';
import {buildReviewHeading} from '../../../source/screens/review/heading.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createEditingPerson, createOtherPerson, openLocal, type Person} from '../support/editing.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const profile = '{\n  "name": "Ada",\n  "roles": ["admin", "ops"],\n  "seen": 1\n}';

type OpenedKey = TestStore & {person: Person; others: ReturnType<typeof createOtherPerson>};

/** Opens a namespace and a JSON key in it. */
async function openProfileKey(
	where: 'simulated' | 'local' = 'simulated',
	options: Parameters<typeof createTestStore>[1] = {},
): Promise<OpenedKey> {
	const testStore = createTestStore(where === 'local' ? {} : {simulate: true}, options);
	if (where === 'local') await openLocal(testStore);
	else await testStore.openNamespace('CONFIG');
	const others = createOtherPerson(testStore);
	const person = createEditingPerson(testStore);
	await others.put('user:1', profile, {metadata: {v: 1}});
	await person.openKey('user:1');
	return {...testStore, person, others};
}

const getNowSeconds = () => Math.floor(Date.now() / 1000);

describe.each(['simulated', 'local'] as const)('a change to a key of %s data', where => {
	test('is shown as a difference and written, and nothing else in the value changes', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editField(['name']);
		person.retype('Bea');
		await state().review.begin();
		expect(state().navigation.stack.at(-1)).toBe('review');
		expect(person.choices().map(({kind}) => kind)).toEqual(['write']);
		expect((await others.read('user:1'))?.value).toBe(profile);
		await person.choose('write');
		expect(await others.read('user:1')).toEqual({
			value: profile.replace('Ada', 'Bea'),
			metadata: {v: 1},
			expiration: undefined,
		});
		expect(state().messages.latest).toMatchObject({
			kind: 'said',
			text: `Wrote ${profile.length} bytes to user:1. u undoes it.`,
		});
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(Buffer.from(state().key.data?.wholeKey?.bytes ?? []).toString()).toContain('Bea');
		expect(state().edits.list).toEqual([]);
	});

	test('shows three versions if someone wrote meanwhile, and is not written on its own', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editValue();
		person.retype(profile.replace('"admin", "ops"', '"admin"'));
		await others.put('user:1', profile.replace('"seen": 1', '"seen": 2'), {metadata: {v: 1}});
		await state().review.begin();
		const {finding} = state().review.data ?? {};
		expect(finding?.check.type).toBe('changed');
		const rows = finding?.difference.kind === 'lines' ? [...finding.difference.rows] : [];
		const byWhom = rows.flatMap(row =>
			row.kind === 'same' || row.kind === 'skipped' ? [] : [row.changedBy],
		);
		expect(byWhom).toEqual(['mine', 'mine', 'stored']);
		expect(person.choices().map(({kind}) => kind)).toEqual(['merge', 'overwrite', 'give up', 'go back']);
		expect(person.choices()[0]?.label).toBe('Merge: keep their changes and mine');
		expect((await others.read('user:1'))?.value).toContain('"seen": 2');
	});

	test('merged with the writes of others is shown once more, and then written', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editField(['name']);
		person.retype('Bea');
		await others.put('user:1', profile.replace('"seen": 1', '"seen": 2'), {metadata: {v: 2}});
		await state().review.begin();
		await person.choose('merge');
		expect((await others.read('user:1'))?.value).toContain('Ada');
		expect(person.choices().map(({kind}) => kind)).toEqual(['write']);
		await person.choose('write');
		expect(await others.read('user:1')).toMatchObject({
			value: profile.replace('Ada', 'Bea').replace('"seen": 1', '"seen": 2'),
			metadata: {v: 2},
		});
	});

	test('in the same place as another write cannot be merged, and the first choice is not destructive', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editField(['name']);
		person.retype('Bea');
		const theirs = profile.replace('Ada', 'Cleo');
		await others.put('user:1', theirs, {metadata: {v: 1}});
		await state().review.begin();
		expect(state().review.data?.finding?.mergeOffer).toEqual({
			type: 'impossible',
			why: 'No merge, because both sides changed name (theirs "Cleo", yours "Bea").',
		});
		expect(person.choices().map(({kind}) => kind)).toEqual(['go back', 'overwrite', 'give up']);
		await person.choose('go back');
		expect(state().navigation.stack.at(-1)).toBe('editor');
		expect(person.getEditorText()).toBe('Bea');
		await state().review.begin();
		await person.choose('overwrite');
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe(profile.replace('Ada', 'Bea'));
		await state().review.beginUndo();
		expect((await others.read('user:1'))?.value).toBe(theirs);
	});

	test('is given up in favour of the stored value', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editValue();
		person.retype('mine');
		await others.put('user:1', 'theirs');
		await state().review.begin();
		await person.choose('give up');
		expect(state().edits.list).toEqual([]);
		expect(Buffer.from(state().key.data?.wholeKey?.bytes ?? []).toString()).toBe('theirs');
		expect((await others.read('user:1'))?.value).toBe('theirs');
	});

	test('to a deleted key restores it only if chosen', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editValue();
		person.retype('mine');
		await others.remove('user:1');
		await state().review.begin();
		expect(state().review.data?.finding?.check.type).toBe('vanished');
		expect(person.choices().map(({kind}) => kind)).toEqual(['go back', 'overwrite', 'give up']);
		await person.choose('overwrite');
		await person.choose('write');
		expect(await others.read('user:1')).toMatchObject({value: 'mine', metadata: {v: 1}});
	});

	test('is undone after the key was deleted elsewhere by creating it again, and the choice says so', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editValue();
		person.retype('mine');
		await state().review.begin();
		await person.choose('write');
		await others.remove('user:1');
		await state().review.beginUndo();
		expect(person.choices().map(({label}) => label)).toContain('Undo anyway: create the key again');
	});

	test('can be undone after a write, a deletion and a creation', async () => {
		const {state, person, others, until} = await openProfileKey(where);
		person.editValue();
		person.retype('mine');
		await state().review.begin();
		await person.choose('write');
		await state().review.beginDeletion('user:1', undefined);
		expect(person.choices().map(({kind}) => kind)).toEqual(['write']);
		await person.choose('write');
		expect(await others.read('user:1')).toBeUndefined();
		expect(state().navigation.stack.at(-1)).toBe('keys');
		person.create('user:2');
		person.paste('new');
		await state().review.begin();
		await person.choose('write');
		expect((await others.read('user:2'))?.value).toBe('new');

		expect(state().review.lastWrite).toMatchObject({key: 'user:2'});
		await state().review.beginUndo();
		expect(await others.read('user:2')).toBeUndefined();
		await state().review.beginUndo();
		expect(state().dialog.current).toMatchObject({
			title: 'Undo an earlier write?',
			lines: [expect.stringMatching(/^To undo: deleted "user:1" in .+\.$/)],
		});
		expect(await others.read('user:1')).toBeUndefined();
		state().dialog.submit();
		await until(({messages: {latest}}) => latest?.text.startsWith('Undone: restored "user:1"') === true);
		expect((await others.read('user:1'))?.value).toBe('mine');
		await state().review.beginUndo();
		state().dialog.submit();
		await until(({review: {lastWrite}}) => lastWrite === undefined);
		expect(await others.read('user:1')).toMatchObject({value: profile, metadata: {v: 1}});
		expect(state().review.lastWrite).toBeUndefined();
	});

	test('never overwrites a key that appeared during its creation', async () => {
		const {state, person, others} = await openProfileKey(where);
		person.create('user:3');
		person.paste('mine');
		await others.put('user:3', 'theirs');
		await state().review.begin();
		expect(state().review.data?.finding?.check.type).toBe('appeared');
		expect(person.choices()[0]?.kind).toBe('go back');
		expect((await others.read('user:3'))?.value).toBe('theirs');
	});

	test('to the metadata keeps the value and expiry', async () => {
		const {state, person, others} = await openProfileKey(where);
		const expiration = getNowSeconds() + 5000;
		await others.put('user:1', profile, {metadata: {v: 1}, expiration});
		await person.openKey('user:1');
		person.editMetadata();
		person.retype('{"v": 2}');
		await state().review.begin();
		expect(state().review.data?.finding?.difference).toMatchObject({kind: 'lines', comparedPart: 'metadata'});
		await person.choose('write');
		expect(await others.read('user:1')).toEqual({value: profile, metadata: {v: 2}, expiration});
		expect(state().messages.latest?.text).toBe('Wrote the metadata of user:1. u undoes it.');
	});

	test("to the expiry keeps the value and metadata, and the next change does not mistake it for someone else's", async () => {
		const {state, person, others} = await openProfileKey(where);
		person.editExpiry();
		person.press('24h');
		await state().review.begin();
		await person.choose('write');
		expect(state().messages.latest?.text).toBe('Wrote the expiration of user:1. u undoes it.');
		const written = await others.read('user:1');
		expect(written).toMatchObject({value: profile, metadata: {v: 1}});
		expect(Math.abs((written?.expiration ?? 0) - getNowSeconds() - 86_400)).toBeLessThan(60);
		person.editField(['name']);
		person.retype('Bea');
		await state().review.begin();
		expect(state().review.data?.finding?.check.type).toBe('unchanged');
		await person.choose('write');
		expect((await others.read('user:1'))?.expiration).toBe(written?.expiration);
	});
});

test('a key about to expire is written only with an expiry that was chosen', async () => {
	const {state, person, others} = await openProfileKey('local');
	await others.put('user:1', profile, {expiration: getNowSeconds() + 40});
	await person.openKey('user:1');
	person.editField(['name']);
	person.retype('Bea');
	await state().review.begin();
	expect(person.choices().map(({label}) => label)).toEqual([
		'Write with an expiration 60 s from now',
		'Write without an expiration',
		'Back to the editor',
	]);
	await person.choose('set lifetime', 1);
	await person.choose('write');
	expect(await others.read('user:1')).toMatchObject({
		value: profile.replace('Ada', 'Bea'),
		expiration: undefined,
	});
});

test('a change by someone else during the review is shown, and nothing is sent', async () => {
	const {state, person, others} = await openProfileKey();
	person.editField(['name']);
	person.retype('Bea');
	await state().review.begin();
	const theirs = profile.replace('"seen": 1', '"seen": 2');
	await others.put('user:1', theirs, {metadata: {v: 1}});
	await person.choose('write');
	expect((await others.read('user:1'))?.value).toBe(theirs);
	expect(state().review.data).toMatchObject({phase: 'asking', finding: {check: {type: 'changed'}}});
	expect(state().messages.latest?.text).toContain(
		'user:1 changed while you were reviewing. Nothing was sent',
	);
});

test('an answer about one change by others does not apply to the next', async () => {
	const {state, person, others} = await openProfileKey();
	person.editField(['name']);
	person.retype('Bea');
	await others.put('user:1', profile.replace('Ada', 'Cleo'));
	await state().review.begin();
	await others.put('user:1', profile.replace('Ada', 'Dora'));
	await person.choose('overwrite');
	await person.choose('write');
	expect((await others.read('user:1'))?.value).toContain('Dora');
	expect(state().review.data).toMatchObject({phase: 'asking', overwrites: false});
	await person.choose('overwrite');
	await person.choose('write');
	await state().review.beginUndo();
	expect((await others.read('user:1'))?.value).toContain('Dora');
});

describe('a key pressed ahead', () => {
	test('decides nothing until the question has been visible for a moment', async () => {
		let time = 1_900_000_000_000;
		const {state, person, others} = await openProfileKey('simulated', {elapsed: () => time});
		person.editField(['name']);
		person.retype('Bea');
		await state().review.begin();
		const [write] = person.choices();
		if (!write) throw new Error('Nothing to choose from.');
		await state().review.decide(write);
		time += minReviewMs - 1;
		await state().review.decide(write);
		expect(state().review.data?.phase).toBe('asking');
		expect(state().messages.latest?.text).toContain('Too fast');
		expect((await others.read('user:1'))?.value).toBe(profile);
		const {finding, phase, overwrites} = state().review.data ?? {};
		state().review.noticeDrawn([finding, phase, overwrites]);
		time += 1;
		await state().review.decide(write);
		expect(state().review.data?.phase).toBe('asking');
		time += minReviewMs;
		await state().review.decide(write);
		expect((await others.read('user:1'))?.value).toContain('Bea');
	});

	test('never confirms both a merge and its write', async () => {
		const {state, person, others} = await openProfileKey();
		person.editField(['name']);
		person.retype('Bea');
		await others.put('user:1', profile.replace('"seen": 1', '"seen": 2'));
		await state().review.begin();
		await person.choose('merge');
		const [write] = person.choices();
		expect(write?.kind).toBe('write');
		if (write) await state().review.decide(write);
		expect((await others.read('user:1'))?.value).toContain('Ada');
	});

	test('is ignored if its choice is not offered', async () => {
		const {state, person, others, advanceClock} = await openProfileKey();
		person.editField(['name']);
		person.retype('Bea');
		await others.put('user:1', profile.replace('Ada', 'Cleo'));
		await state().review.begin();
		advanceClock(minReviewMs);
		await state().review.decide({kind: 'write', label: 'Write the key'});
		expect((await others.read('user:1'))?.value).toContain('Cleo');
		expect(state().messages.latest?.text).toContain('The choices have changed');
	});
});

test('an undo that overwrote the work of others can be undone', async () => {
	const {state, person, others} = await openProfileKey();
	person.editValue();
	person.retype('mine');
	await state().review.begin();
	await person.choose('write');
	await others.put('user:1', 'theirs');
	await state().review.beginUndo();
	expect(state().navigation.stack.at(-1)).toBe('review');
	expect((await others.read('user:1'))?.value).toBe('theirs');
	await person.choose('overwrite');
	await person.choose('write');
	expect(await others.read('user:1')).toMatchObject({value: profile});
	expect(state().messages.latest?.text).toBe(
		'Undone: changed "user:1" in CONFIG back. u restores what it replaced.',
	);
	await state().review.beginUndo();
	expect(await others.read('user:1')).toMatchObject({value: 'theirs'});
	expect(state().review.lastWrite).toBeUndefined();
});

describe('an undo of an unchanged key', () => {
	async function openAndWrite() {
		const openedKey = await openProfileKey();
		openedKey.person.editValue();
		openedKey.person.retype('mine');
		await openedKey.state().review.begin();
		await openedKey.person.choose('write');
		return openedKey;
	}

	test('is sent at once, and the screen stays', async () => {
		const {state, others} = await openAndWrite();
		await state().review.beginUndo();
		expect(await others.read('user:1')).toMatchObject({value: profile, metadata: {v: 1}});
		expect(state().messages.latest?.text).toBe('Undone: changed "user:1" in CONFIG back.');
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().review.data).toBeUndefined();
	});

	test('deletes the key if it was new', async () => {
		const {state, person, others} = await openProfileKey();
		person.create('user:2');
		person.paste('new');
		await state().review.begin();
		await person.choose('write');
		await person.openKey('user:2');
		await state().review.beginUndo();
		expect(await others.read('user:2')).toBeUndefined();
		expect(state().messages.latest?.text).toBe(
			'Undone: deleted "user:2" in CONFIG, which did not exist before.',
		);
		expect(state().navigation.stack.at(-1)).toBe('keys');
	});

	test('shows a failure in the review, where it can be retried', async () => {
		const {state, person, others, simulator} = await openAndWrite();
		simulator.faults.add('method=PUT status=403 code=10000');
		await state().review.beginUndo();
		simulator.faults.clear();
		expect(state().navigation.stack.at(-1)).toBe('review');
		expect(state().review.data?.phase).toBe('failed');
		await person.choose('check again');
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe(profile);
	});
});

describe('a failing write', () => {
	const openWithFault = async (fault: string) => {
		const openedKey = await openProfileKey();
		openedKey.person.editValue();
		openedKey.person.retype('mine');
		openedKey.simulator.faults.add(fault);
		await openedKey.state().review.begin();
		return openedKey;
	};

	test('keeps the typed text if the service rejects it', async () => {
		const {state, person, others, simulator} = await openWithFault(
			'method=PUT status=403 code=10000 message=no',
		);
		await person.choose('write');
		expect(state().review.data?.phase).toBe('failed');
		expect(state().messages.latest?.text).toContain('Nothing was written. Your edit is kept.');
		expect((await others.read('user:1'))?.value).toBe(profile);
		simulator.faults.clear();
		await person.choose('go back');
		expect(person.getEditorText()).toBe('mine');
	});

	test('says that it may have been applied if no response came, and finds out', async () => {
		const {state, person, others, simulator} = await openWithFault('method=PUT lost-answer');
		await person.choose('write');
		expect(state().messages.latest?.text).toContain(
			'user:1 may or may not have been written. Your edit is kept.',
		);
		expect(state().edits.hasUnsavedEdits()).toBe(true);
		simulator.faults.clear();
		await person.choose('check again');
		expect(person.choices().map(({kind}) => kind)).toEqual(['finish', 'go back']);
		await person.choose('finish');
		expect((await others.read('user:1'))?.value).toBe('mine');
		expect(state().edits.hasUnsavedEdits()).toBe(false);
		await state().review.beginUndo();
		expect((await others.read('user:1'))?.value).toBe(profile);
	});

	test('of an expiry is found to have been applied, and can be undone', async () => {
		const {state, person, others, simulator} = await openProfileKey();
		person.editExpiry();
		person.press('24h');
		await state().review.begin();
		simulator.faults.add('method=PUT lost-answer');
		await person.choose('write');
		simulator.faults.clear();
		await person.choose('check again');
		expect(state().review.data?.finding?.check.type).toBe('already');
		await person.choose('finish');
		expect((await others.read('user:1'))?.expiration).toBeGreaterThan(getNowSeconds() + 86_000);
		await state().review.beginUndo();
		expect(await others.read('user:1')).toEqual({value: profile, metadata: {v: 1}, expiration: undefined});
	});

	test('is still known when the review is left and reopened', async () => {
		const {state, person, others, simulator} = await openWithFault('method=PUT lost-answer');
		await person.choose('write');
		simulator.faults.clear();
		await person.choose('go back');
		await state().review.begin();
		expect(state().review.data?.unknownOutcome).toBeDefined();
		await person.choose('finish');
		expect(state().messages.latest?.text).toContain('Wrote 4 bytes to user:1.');
		await state().review.beginUndo();
		expect((await others.read('user:1'))?.value).toBe(profile);
	});

	test('is not mistaken for the work of others by the next edit, and both can be undone', async () => {
		const {state, person, others, simulator, until} = await openWithFault('method=PUT lost-answer');
		await person.choose('write');
		simulator.faults.clear();
		await person.choose('go back');
		person.retype('mine, and more');
		await state().review.begin();
		expect(state().review.data?.finding?.check.type).toBe('unchanged');
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe('mine, and more');
		await state().review.beginUndo();
		expect((await others.read('user:1'))?.value).toBe('mine');
		await state().review.beginUndo();
		state().dialog.submit();
		await until(({review: {lastWrite}}) => lastWrite === undefined);
		expect((await others.read('user:1'))?.value).toBe(profile);
	});

	test('that did delete the key can be undone after the review was left', async () => {
		const {state, person, others, simulator} = await openProfileKey();
		simulator.faults.add('method=DELETE lost-answer');
		await state().review.beginDeletion('user:1', undefined);
		await person.choose('write');
		simulator.faults.clear();
		await person.choose('go back');
		await state().review.beginDeletion('user:1', undefined);
		await person.choose('finish');
		await state().review.beginUndo();
		expect((await others.read('user:1'))?.value).toBe(profile);
	});

	test('that was not applied leaves nothing to undo', async () => {
		const {state, person, others, simulator} = await openWithFault('method=PUT status=500');
		await person.choose('write');
		expect(state().messages.latest?.text).toContain('may or may not have been written');
		simulator.faults.clear();
		await person.choose('go back');
		await others.put('user:1', 'theirs', {metadata: {v: 1}});
		person.retype('theirs');
		await state().review.begin();
		const review = state().review.data;
		expect(review && buildReviewHeading(review).text).toBe('What is stored already matches your change.');
		await person.choose('finish');
		expect(state().messages.latest?.text).toBe('There was nothing to write.');
		expect(state().review.lastWrite).toBeUndefined();
	});

	test('keeps the typed text when cancelled', async () => {
		const {state, person, until} = await openWithFault('method=PUT hang');
		const writing = person.choose('write');
		await until(
			({
				activity: {
					data: {rows: calls},
				},
				work: {list: work},
			}) => work.some(({kind}) => kind === 'write') && calls.length > 0,
		);
		state().review.leave();
		state().work.cancelReads();
		await state().review.begin();
		expect(state().navigation.stack.at(-1)).toBe('review');
		state().review.leave();
		expect(state().work.list.some(({kind}) => kind === 'write')).toBe(true);
		state().review.cancelWrite();
		await writing;
		expect(state().work.list.filter(({kind}) => kind === 'write')).toEqual([]);
		expect(state().messages.latest?.text).toContain('Stopped: writing user:1.');
		expect(person.getEditorText()).toBe('mine');
	});

	test('continues when its screen is left, and says so once it is done', async () => {
		const {state, person, others, until} = await openWithFault('method=PUT latency=50');
		const writing = person.choose('write');
		state().review.leave();
		state().edits.leave();
		state().work.cancelReads();
		await until(({messages: {latest: message}}) => message?.text.startsWith('Wrote') === true);
		await writing;
		expect((await others.read('user:1'))?.value).toBe('mine');
		expect(state().navigation.stack.at(-1)).toBe('key');
		expect(state().edits.list).toEqual([]);
	});

	test('keeps text typed while it was running', async () => {
		const {state, person, others} = await openWithFault('method=PUT latency=50');
		const writing = person.choose('write');
		state().review.leave();
		person.press('<ctrl-end> and more');
		await writing;
		expect((await others.read('user:1'))?.value).toBe('mine');
		expect(person.getEditorText()).toBe('mine and more');
		await state().review.begin();
		expect(state().review.data?.finding?.check.type).toBe('unchanged');
		await person.choose('write');
		expect((await others.read('user:1'))?.value).toBe('mine and more');
	});

	test('can be left while the check waits for a response', async () => {
		const {state, person, simulator, until} = await openProfileKey();
		person.editValue();
		person.retype('mine');
		simulator.faults.add('method=GET hang');
		const checking = state().review.begin();
		await until(({work: {list: work}}) => work.some(({kind}) => kind === 'read'));
		state().work.cancelReads();
		state().review.leave();
		await checking;
		expect(state().navigation.stack.at(-1)).toBe('editor');
		expect(state().review.data).toBeUndefined();
		expect(person.getEditorText()).toBe('mine');
	});

	test('stays in the review with ways to continue if the check itself fails', async () => {
		const {state, person, simulator} = await openWithFault('method=GET status=500');
		expect(state().review.data?.phase).toBe('failed');
		expect(person.choices().map(({kind}) => kind)).toEqual(['check again', 'go back']);
		simulator.faults.clear();
		await person.choose('check again');
		// The stored value is JSON and the typed text is not: after a warning, `write` does not come first.
		expect(person.choices().map(({kind}) => kind)).toEqual(['write']);
	});
});

test('the request is shown with everything but the value and the credential', async () => {
	const {state, person} = await openProfileKey();
	person.editField(['name']);
	person.retype('Secret');
	await state().review.begin();
	await state().review.showRequest();
	const text = state().review.data?.request?.join('\n') ?? '';
	expect(text).toMatch(
		/^PUT http:\/\/simulated\.invalid\/client\/v4\/accounts\/[0-9a-f]+\/storage\/kv\/namespaces\//,
	);
	expect(text).toContain('/values/user%3A1');
	expect(text).toContain('part "metadata": {"v":1}');
	expect(text).toContain(`${profile.length + 'Secret'.length - 'Ada'.length} bytes, not shown`);
	expect(text).not.toContain('Secret');
});

test('a read-only ledge writes nothing', async () => {
	const reading = createTestStore({simulate: true, readOnly: true});
	await reading.openNamespace('CONFIG');
	const person = createEditingPerson(reading);
	await person.openKey('motd');
	person.editValue();
	expect(reading.state().messages.latest).toMatchObject({kind: 'failed', failure: {code: 'read_only'}});
	expect(reading.state().edits.list).toEqual([]);
	await reading.state().review.beginDeletion('motd', undefined);
	await person.choose('write');
	expect(reading.state().review.data?.failure?.code).toBe('read_only');
	expect(await createOtherPerson(reading).read('motd')).toBeDefined();
});
