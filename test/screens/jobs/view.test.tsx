import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {formatJobsStatus, Jobs} from '../../../source/screens/jobs/view.tsx';
import {anyJobCodec} from '../../../source/state/job-record.ts';
import {createJob, openJob} from '../../../source/state/jobs.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

const path = '/home/someone/data/sessions \u001b[2J.ndjson';

async function recordJob({env}: TestStore, id: string, done: number): Promise<void> {
	const journal = await createJob(
		env,
		{
			id,
			kind: 'bulk-put',
			created: 0,
			title: `bulk put ${JSON.stringify(path)}, Acme › SESSIONS`,
			target: {place: 'simulated'},
			input: {path, size: 1, modified: 0, digest: '', kept: false},
			total: 249_997,
			options: null,
		},
		[
			{type: 'range', ranges: [[1, done + 1]]},
			...(done === 249_997 ? [{type: 'done', done, refused: 0} as const] : []),
		],
	);
	await journal.close();
}

test.each([
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
])('at $columns×$rows each job has one line with its state, progress and task', async size => {
	const testStore = createTestStore();
	await recordJob(testStore, 'left', 161_400);
	await recordJob(testStore, 'done', 249_997);
	writeFileSync(join(testStore.env.LEDGE_STATE_DIR ?? '', 'jobs', 'bad.ndjson'), 'x\n');
	await testStore.state().jobs.load(testStore.signal);
	const drawn = draw(createTestApp(testStore), <Jobs />, size);
	await drawn.until(rows => rows.some(row => row.includes('damaged')));
	const rows = drawn.rows();
	expect(rows[1]).toMatch(
		size.columns >= 100 ? /▸ ○ unfinished +161,400\/249,997 {2}64%/ : /▸ ○ unfinished +64%/,
	);
	expect(rows[1]).toContain('bulk put sessions');
	expect(rows[2]).toMatch(/ {3}✓ done/);
	expect(rows[3]).toMatch(/ {3}× damaged/);
	for (const row of rows) {
		expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
		expect(row).not.toContain('\u001b');
	}
	expect(formatJobsStatus(testStore.state())).toContain('/home/someone/data');
});

test('an empty list says how jobs are created', async () => {
	const testStore = createTestStore();
	await testStore.state().jobs.load(testStore.signal);
	const drawn = draw(createTestApp(testStore), <Jobs />);
	await drawn.until(rows => rows.some(row => row.includes('No jobs.')));
});

test('the list is read when opened, and repeatedly while another process works on a job', async () => {
	vi.useFakeTimers({toFake: ['setInterval', 'clearInterval']});
	onTestFinished(() => void vi.useRealTimers());
	const testStore = createTestStore();
	await recordJob(testStore, 'other', 161_400);
	const {journal} = await openJob(testStore.env, 'other', anyJobCodec);
	const drawn = draw(createTestApp(testStore), <Jobs />);
	await drawn.until(rows => rows.some(row => row.includes('running')));
	await journal.close();
	await testStore.until(({work: {list: work}}) => work.length === 0);
	vi.advanceTimersByTime(3000);
	await drawn.until(rows => rows.some(row => row.includes('unfinished')));
	expect(vi.getTimerCount()).toBe(0);
});

test('a running write is named on the screen and on Home, although nothing resumes it', async () => {
	const testStore = createTestStore();
	await testStore.state().jobs.load(testStore.signal);
	const {promise, resolve} = Promise.withResolvers<void>();
	const write = testStore.state().work.run('undoing the change of 98 rules', 'write', () => promise);
	const drawn = draw(createTestApp(testStore), <Jobs />);
	await drawn.until(rows => rows.some(row => row.includes('Running: undoing the change of 98 rules.')));
	expect(drawn.rows().join('\n')).not.toContain('No jobs');
	const getHomeLabel = () => buildHomeEntries(testStore.state()).find(({value}) => value === 'jobs')?.label;
	expect(getHomeLabel()).toContain('running: undoing the change of 98 rules');
	resolve();
	await write;
	await drawn.until(rows => rows.some(row => row.includes('No jobs.')));
	expect(getHomeLabel()).not.toContain('running');
});
