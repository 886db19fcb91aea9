import {expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import type {TransferProgress} from '../../../source/kv/transfer/job.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {getResumeBlockedReason} from '../../../source/screens/transfer/actions.ts';
import {buildTransferFacts, listTransferSentences} from '../../../source/screens/transfer/facts.ts';
import {
	parseSourceAndTarget,
	type TransferStage,
	type TransferState,
} from '../../../source/screens/transfer/state.ts';
import {formatTransferStatus, Transfer} from '../../../source/screens/transfer/view.tsx';
import type {ListedJob} from '../../../source/state/jobs.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

const hostile = `evil\u001b[2J\u202e${'名前'.repeat(200)}`;

const progress: TransferProgress = {
	done: 10_000,
	bytes: 1_000_000,
	gone: 2,
	expired: 3,
	kept: 4,
	refused: 5,
	both: 0,
	settled: 10_014,
	total: 30_014,
	rate: 1000,
	paused: false,
	isRecorded: true,
	work: {content: 'both', quota: undefined},
};

const buildTransfer = (stage: TransferStage): TransferState => ({
	transferNumber: 1,
	kind: 'copy',
	keys: undefined,
	from: hostile,
	to: 'local:other',
	stage,
});

const buildRunning = (part: Partial<TransferProgress> = {}) =>
	buildTransfer({state: 'running', id: 'k3v9x2mp', progress: {...progress, ...part}, cancelled: false});

const buildStopped = (isRecorded: boolean) =>
	buildTransfer({
		state: 'stopped',
		id: 'k3v9x2mp',
		progress: {...progress, isRecorded},
		failure: new Failure('unreachable', 'It cannot be reached.', {next: hostile}),
	});

test.each([
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
])('a running and a stopped transfer fit in $columns×$rows', size => {
	for (const transfer of [buildRunning(), buildStopped(true)]) {
		const {store, state} = createTestStore();
		store.setState({transfer: {...store.getState().transfer, data: transfer}});
		const seen = draw(createTestApp({store, state}), <Transfer />, size).rows();
		expect(seen.length).toBeLessThanOrEqual(size.rows - 4);
		expect(seen.join('\n')).toContain('10,014 of 30,014 keys');
		for (const row of seen) expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
	}
});

const formatFacts = (transfer: TransferState, waits: Parameters<typeof buildTransferFacts>[1] = []) =>
	buildTransferFacts(transfer, waits, 0)
		.map(({name, text}) => `${name} ${text}`)
		.join('\n');

test('the rate and the time left are shown while it runs, and not while paused', () => {
	expect(formatFacts(buildRunning())).toContain('1,000 a second · 20 s left · 1,000,000 bytes of values');
	expect(formatFacts(buildRunning({paused: true}))).not.toMatch(/a second|s left/);
	expect(formatFacts(buildRunning({rate: 0}))).not.toMatch(/a second|s left/);
});

test('a paused transfer is not called waiting too', () => {
	const waits = [{id: 1, why: 'The quota is used up', endsAt: 60_000}];
	expect(formatFacts(buildRunning(), waits)).toContain('waiting');
	expect(formatFacts(buildRunning({paused: true}), waits)).not.toContain('waiting');
});

test('a wait for the service replaces the rate', () => {
	const wait = {id: 1, why: 'Too many requests.', endsAt: 4000};
	expect(formatFacts(buildRunning(), [wait])).toContain('waiting 4 s: Too many requests.');
});

test('a stopped transfer mentions the jobs only if it is recorded', () => {
	expect(listTransferSentences(buildStopped(true)).at(-1)).toBe('You can also resume it from Jobs (7).');
	expect(listTransferSentences(buildStopped(false)).at(-1)).toBe(hostile);
});

test('the status says whether a transfer is safe to stop, depending on whether it is recorded', () => {
	expect(formatTransferStatus({transfer: {data: buildRunning()}})).toContain('safe to quit');
	expect(formatTransferStatus({transfer: {data: buildRunning({isRecorded: false})}})).toBe(
		'starting; not resumable yet',
	);
});

test.each([
	['export keys under a of Acme › CONFIG into "/tmp/a into b.ndjson"', '/tmp/a into b.ndjson', undefined],
	['copy keys under a of Acme › CONFIG into Acme › TWO', undefined, undefined],
	['copy keys under a of Acme › CONFIG into Acme › moved into TWO', undefined, 'Acme › moved into TWO'],
] as const)('%s names its source and target', (title, path, recordedTarget) => {
	const to = path ?? recordedTarget ?? 'Acme › TWO';
	expect(parseSourceAndTarget(title, path, recordedTarget)).toEqual({
		from: 'keys under a of Acme › CONFIG',
		to,
	});
});

test('the path of a written file can be copied', () => {
	const testStore = createTestStore();
	const result = {
		...progress,
		doneBefore: 0,
		id: 'k3v9x2mp',
		milliseconds: 5,
		failedFile: undefined,
		recordingFailure: undefined,
	};
	testStore.store.setState({
		transfer: {
			...testStore.store.getState().transfer,
			data: {...buildTransfer({state: 'done', result}), kind: 'export', to: '/tmp/out.ndjson'},
		},
	});
	testStore.state().navigation.go('transfer');
	const app = createTestApp(testStore);
	expect(listHintedActions(app.actions, testStore.state()).map(({id}) => id)).toContain('transfer.copy-path');
	dispatch(app, {name: 'y', text: 'y', sequence: 'y'});
	expect(testStore.state().messages.latest?.kind).toBe('said');
});

test.each([
	['export', undefined],
	['copy', 'ledge is read-only'],
] as const)('in read-only mode, the %s job is resumed only if it writes just a file', (kind, why) => {
	const connection = createTestStore().state().connection.data;
	const job = {record: {header: {kind}}} as ListedJob;
	const state = {connection: {data: {...connection, readOnly: true}}} as LedgeState;
	expect(getResumeBlockedReason(state, job)).toBe(why);
});
