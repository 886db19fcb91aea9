import {describe, expect, test} from 'vitest';
import {createInterruptedFailure, Failure} from '../../../source/failure.ts';
import type {BulkResult} from '../../../source/kv/bulk/job.ts';
import type {BulkProgress} from '../../../source/kv/bulk/progress.ts';
import type {RecordState} from '../../../source/kv/job/recorder.ts';
import {actions} from '../../../source/screens/actions.ts';
import {buildBulkFacts} from '../../../source/screens/bulk/facts.ts';
import {
	type BulkCheck,
	type BulkStage,
	type BulkState,
	formatBulkSummary,
} from '../../../source/screens/bulk/state.ts';
import {Bulk, formatBulkStatus} from '../../../source/screens/bulk/view.tsx';
import {fullQuota} from '../../../source/service/limiter.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
] as const;

const hostileText = `evil\u001b[2J\u202e${'名前'.repeat(200)}`;

const check: BulkCheck = {
	entryCount: 250_000,
	validCount: 249_997,
	keyCount: 249_997,
	expiredCount: 0,
	samples: [hostileText, 'a', 'b', 'c', 'd'],
	problems: [
		{
			entryNumber: 17,
			line: 18,
			key: hostileText,
			what: 'The key is too long.',
			why: 'A key has at most 512 bytes; this has 1213.',
		},
		{entryNumber: 90, line: 91, what: 'The entry is not valid JSON.', why: 'It ends too early.'},
		{
			entryNumber: 120,
			line: 121,
			key: '',
			what: 'The key is empty.',
			why: `${'A name has at least one byte. '.repeat(30)}`,
		},
	],
	problemCount: 3,
	recovery: 'none',
	warnings: [`Repeated keys: 4; the last entry for each wins: ${JSON.stringify(hostileText)}`],
};

const progress: BulkProgress = {
	phase: 'sending',
	done: 161_400,
	total: 249_997,
	bytes: 5_000_000,
	inFlight: 4,
	retries: 1,
	refused: 2,
	rate: 2310,
	paused: false,
	record: 'made',
};

const refused = [{entry: 5, key: hostileText, why: 'no room', final: false}];

const result: BulkResult = {
	id: 'k3v9x2mp',
	entries: 250_000,
	done: 249_995,
	doneBefore: 0,
	distinctKeyCount: 249_995,
	protectedCount: 0,
	protectedSamples: [],
	expired: 0,
	skipped: 3,
	refused: 2,
	refusedSamples: refused,
	failedFile: `/home/${'x'.repeat(300)}/sessions.ndjson.failed.ndjson`,
	absent: undefined,
	failedFileFailure: undefined,
	requests: 26,
	milliseconds: 112_000,
	recordingFailure: undefined,
};

const failure = new Failure('service_failed', 'The service failed.', {
	why: 'It answered 503.',
	left: '161400 of 249997 entries are written, 88597 are left.',
	next: 'Resume it on the jobs screen (7), or with `ledge jobs resume k3v9x2mp`.',
});

const stages: Readonly<Record<string, BulkStage>> = {
	checking: {state: 'checking', bytes: 5_000_000, size: 11_139_438},
	failed: {state: 'failed', failure},
	checked: {state: 'checked', check},
	keeping: {state: 'keeping', check, copiedCount: 120_000, cancelled: false},
	sending: {state: 'sending', check, id: 'k3v9x2mp', progress, refused, cancelled: false},
	paused: {
		state: 'sending',
		check,
		id: 'k3v9x2mp',
		progress: {...progress, paused: true, inFlight: 0},
		refused,
		cancelled: false,
	},
	stopped: {state: 'stopped', check, id: 'k3v9x2mp', progress, refused, failure},
	done: {state: 'done', check, result},
};

const createBulkState = (stage: BulkStage, more: Partial<BulkState> = {}): BulkState => ({
	runNumber: 1,
	kind: 'bulk-put',
	quota: undefined,
	inputName: 'sessions.ndjson',
	namespace: {title: 'SESSIONS', where: 'remote', label: `Acme (simulated) › SESSIONS ${hostileText}`},
	stage,
	refusedList: undefined,
	...more,
});

/** Draws the screen of this run, and returns its rows. */
async function drawRows(bulk: BulkState, size: (typeof sizes)[number]): Promise<readonly string[]> {
	const testStore = createTestStore();
	testStore.store.setState({bulk: {...testStore.store.getState().bulk, data: bulk}});
	const drawn = draw(createTestApp(testStore), <Bulk />, size);
	await drawn.until(rows => rows.some(row => row !== ''));
	return drawn.rows();
}

describe.each(sizes)('at $columns×$rows', size => {
	test.each(
		Object.keys(stages),
	)('%s: no line exceeds the screen or reaches the terminal unescaped', async name => {
		const stage = stages[name];
		if (!stage) throw new Error(name);
		for (const refusedList of [undefined, {cursor: 0}]) {
			const rows = await drawRows(createBulkState(stage, {refusedList}), size);
			expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
			for (const row of rows) {
				expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
				expect(row).not.toMatch(/[\u001b\u202e]/);
			}
		}
	});

	test('the list of rejected entries shows each entry and the rule it breaks', async () => {
		const rows = await drawRows(createBulkState({state: 'checked', check}, {refusedList: {cursor: 0}}), size);
		const text = rows.join(' ').replace(/\s+/g, ' ');
		expect(text).toMatch(/▸ line 18 evil.+ The key is too long\./);
		expect(text).toMatch(/line 91 – The entry is not valid (JSON\.|…)/);
		expect(text).toContain('A key has at most 512 bytes; this has 1213.');
	});

	test('lines that do not fit below the list are reported as left out', async () => {
		const rows = await drawRows(createBulkState({state: 'checked', check}, {refusedList: {cursor: 2}}), size);
		expect(rows.join('\n')).toMatch(/… \d+ more lines/);
	});
});

const defaultSize = {columns: 80, rows: 24} as const;
const drawText = async (stage: BulkStage, more: Partial<BulkState> = {}) =>
	(await drawRows(createBulkState(stage, more), defaultSize)).join('\n');

test('before sending, the screen shows the entries found and the planned change with its namespace', async () => {
	const text = await drawText({state: 'checked', check});
	expect(text).toMatch(/checked +! 250,000 entries · 3 invalid \(v to view\)/);
	expect(text).toMatch(/! Repeated keys: 4; the last entry for each wins:\s+"evil\\/);
	expect(text).toMatch(/to write +249,997 keys, to Acme \(simulated\) › SESSIONS/);
	expect(text).toContain('Nothing has been sent.');
	const deletionText = await drawText({state: 'checked', check}, {kind: 'bulk-delete'});
	expect(deletionText).toMatch(/to delete +249,997 keys, from Acme/);
	expect(deletionText).toContain('This cannot be undone: u does not restore them.');
});

test('without a valid entry, the screen says that nothing can be sent and what to do', async () => {
	const text = await drawText({state: 'checked', check: {...check, validCount: 0}});
	expect(text).toContain('Nothing can be sent: no entry is valid. v shows why.');
	expect(text).toContain('Correct the file, then start again with B in the key list.');
});

test('a result that does not fit in a row is wrapped at 80 columns, not cut', async () => {
	const warning = 'Repeated keys: 12; the last entry for each wins: "a:first", "a:second", "a:third"';
	const text = await drawText({state: 'checked', check: {...check, warnings: [warning]}});
	expect(text.replace(/\s+/g, ' ')).toContain(warning);
});

test('a deletion shows what happens to the keys, and how many are in the trash', async () => {
	const checkAskingAboutTrash = {...check, recovery: 'asked'} as const;
	const deletion = {kind: 'bulk-delete'} as const;
	expect(await drawText({state: 'checked', check: checkAskingAboutTrash}, deletion)).toContain(
		'More than 10,000 keys go to the trash only if you choose to.',
	);
	expect(await drawText({state: 'checked', check: {...check, recovery: 'trash'}}, deletion)).toContain(
		'They stay in the trash for 7 days: u restores them.',
	);
	const backupText = await drawText(
		{state: 'keeping', check: checkAskingAboutTrash, copiedCount: 120_000, cancelled: false},
		deletion,
	);
	expect(backupText).toMatch(/backing up +█+░+ +120,000 of 249,997 keys copied to the trash/);
	expect(backupText).toContain('Nothing is deleted until all keys are in the trash.');
});

test('while sending, the screen shows progress, speed, remaining time and rejected entries', async () => {
	const text = await drawText(stages.sending ?? {state: 'checking', bytes: 0, size: 0});
	expect(text).toMatch(/sending +█+░+ {2}161,400 of 249,997 {3}64%/);
	expect(text).toContain('2,310 a second · 39 s left · 4 calls in flight · 1 retry');
	expect(text).toMatch(/rejected +! 2 keys by the service/);
});

test('calls unanswered for several seconds are shown with that time', () => {
	const waitingSince = 1_000_000;
	const formatFactsAt = (now: number) =>
		buildBulkFacts(
			createBulkState({
				state: 'sending',
				check,
				id: 'k3v9x2mp',
				progress: {...progress, waitingSince},
				refused,
				cancelled: false,
			}),
			[],
			now,
		)
			.map(({text}) => text)
			.join('\n');
	expect(formatFactsAt(waitingSince + 4999)).not.toContain('no answer');
	expect(formatFactsAt(waitingSince + 12_000)).toMatch(/^4 calls in flight · no answer for 12 s/m);
});

test('only a recorded job is called safe to quit', () => {
	const {sending, stopped} = stages;
	if (sending?.state !== 'sending' || stopped?.state !== 'stopped')
		throw new Error('There is no such stage.');
	const formatStatus = (stage: typeof sending | typeof stopped, record: RecordState) =>
		formatBulkStatus({bulk: {data: createBulkState({...stage, progress: {...progress, record}})}});
	expect(formatStatus(sending, 'made')).toMatch(/^safe to quit/);
	expect(formatStatus(sending, 'coming')).toBe('starting; not resumable yet');
	expect(formatStatus(sending, 'none')).toMatch(/^not resumable/);
	expect(formatStatus(stopped, 'made')).toBe('progress is recorded');
	expect(formatStatus(stopped, 'none')).toBe('progress is not recorded');
});

test('a paused job shows neither speed nor remaining time', async () => {
	const text = await drawText(stages.paused ?? {state: 'checking', bytes: 0, size: 0});
	expect(text).toMatch(/paused +█/);
	expect(text).not.toMatch(/a second|left/);
	expect(text).toContain('0 calls in flight');
});

test('a paused job is not called waiting too', () => {
	const wait = {id: 1, why: 'The quota is used up', endsAt: 60_000};
	const formatFacts = (stage: BulkStage | undefined) =>
		stage && buildBulkFacts(createBulkState(stage), [wait], 0).map(({text}) => text);
	expect(formatFacts(stages.sending)?.join('\n')).toContain('1 waiting');
	expect(formatFacts(stages.paused)?.join('\n')).not.toContain('waiting');
});

test('a stopped job shows why it stopped, how far it got, and how to resume', async () => {
	const text = await drawText(stages.stopped ?? {state: 'checking', bytes: 0, size: 0});
	for (const sentence of [
		'The service failed.',
		'It answered 503.',
		'88597 are left.',
		'ledge jobs resume k3v9x2mp',
	])
		expect(text).toContain(sentence);
});

test('a finished job shows the result, the rejected entries, and the file that contains them', async () => {
	const text = await drawText({state: 'done', check, result: {...result, failedFile: '/data/failed.ndjson'}});
	expect(text).toMatch(/done +! Wrote 249,995 of 250,000 keys/);
	expect(text).toMatch(/took +2 min · 26 batches · 2,232 a second/);
	expect(text).toMatch(/saved in +\/data\/failed\.ndjson/);
});

test('the screen is redrawn as the run progresses, and the status line has a summary', async () => {
	const testStore = createTestStore();
	testStore.store.setState({
		bulk: {...testStore.store.getState().bulk, data: createBulkState({state: 'checking', bytes: 0, size: 0})},
	});
	const drawn = draw(createTestApp(testStore), <Bulk />, defaultSize);
	await drawn.until(rows => rows.some(row => row.includes('checking')));
	testStore.store.setState({
		bulk: {
			...testStore.store.getState().bulk,
			data: createBulkState(stages.sending ?? {state: 'checking', bytes: 0, size: 0}),
		},
	});
	await drawn.until(rows => rows.some(row => row.includes('64%')));
	expect(formatBulkStatus(testStore.state())).toMatch(/^safe to quit/);
	expect(formatBulkSummary(testStore.state().bulk.data)).toBe('bulk put 64%');
});

test('without a run the screen says how to start one', async () => {
	const drawn = draw(createTestApp(createTestStore()), <Bulk />, defaultSize);
	await drawn.until(rows =>
		rows.some(row => row.includes('Press B in the key list of a namespace to start one.')),
	);
});

test('while very many keys are listed for deletion, it shows how long that takes and what is faster', async () => {
	const drawListingText = (listedCount: number) =>
		drawText({state: 'checking', bytes: 0, size: 0, listedCount}, {kind: 'bulk-delete', quota: fullQuota});
	expect((await drawListingText(20_000)).replaceAll(/\s+/g, ' ')).toContain(
		'The total is not known yet. For example, 10,000,000 keys take 10,000 calls: 37 min at the quota of the service. A longer prefix covers fewer keys',
	);
	expect(await drawListingText(19_999)).not.toContain('take');
});

test('the key named for restoring deleted keys works on this screen', async () => {
	const trashBatch = {id: 'k3v9x2mp', keys: 3} as NonNullable<BulkState['trashBatch']>;
	const text = await drawText(
		{state: 'sending', check, id: 'k3v9x2mp', progress, refused: [], cancelled: false},
		{kind: 'bulk-delete', trashBatch},
	);
	const key = /3 keys kept for 7 days \(k3v9x2mp\): (\w) restores/.exec(text)?.[1] ?? '';
	const actionsWithKey = actions.filter(({keys, where}) => keys.includes(key) && where.includes('bulk'));
	expect(actionsWithKey.map(({id}) => id)).toEqual(['trash.open']);
});

test('after a restore that left keys out, the screen says why the trash still has them, and how to open it', async () => {
	const trashBatch = {id: 'k3v9x2mp', keys: 3} as NonNullable<BulkState['trashBatch']>;
	const stage = {
		state: 'stopped',
		check,
		id: 'k3v9x2mp',
		progress,
		failure: createInterruptedFailure(),
		refused: [],
	} as const;
	const text = await drawText(stage, {kind: 'bulk-delete', trashBatch, restored: 'some'});
	expect(text).toContain('3 keys stay, because some were not restored: V opens it');
});
