import {expect, test} from 'vitest';
import {buildStatus, layOutStatus, shortenStatus} from '../../../source/screens/shell/status.tsx';
import type {StateWith} from '../../../source/store/ledge-store.ts';
import {cutEnd} from '../../../source/text/cut.ts';

const started = 1_900_000_000_000;

const busy: StateWith<'work', 'list' | 'waits'> & StateWith<'messages', 'latest'> = {
	work: {list: [{id: 1, label: 'writing user:1', kind: 'write', startedAt: started, cancel() {}}], waits: []},
	messages: {latest: {kind: 'warned', text: 'It is being written.', shownAt: started + 5000}},
};

test('a message during work is shown for some seconds, and then the work again', () => {
	expect(buildStatus(busy, started + 4000, 'own').text).toContain('It is being written.');
	expect(buildStatus(busy, started + 7999, 'own')).toEqual({tone: 'warning', text: 'It is being written.'});
	expect(buildStatus(busy, started + 8000, 'own').text).toBe('writing user:1…');
	expect(buildStatus({...busy, work: {...busy.work, list: []}}, started + 60_000, 'own').text).toBe(
		'It is being written.',
	);
});

test('a message leaves the number of selected rows visible', () => {
	const said = {
		work: {list: [], waits: []},
		messages: {latest: {kind: 'said', text: '98 rules are paused.', shownAt: started}},
	} as const;
	const status = buildStatus(said, started + 9000, '2 selected   100 rules', false, undefined, 2);
	expect(layOutStatus(status, {columns: 76, maxLines: 1, shorten: cutEnd})).toEqual([
		'98 rules are paused.   2 selected',
	]);
	expect(buildStatus(said, started + 9000, 'own', false, undefined, 0)).not.toHaveProperty('tail');
});

test('a write behind an open question waits for the answer, and is not shown as running', () => {
	const quiet = {...busy, messages: {latest: undefined}};
	const question = {
		kind: 'confirm',
		title: 'PRODUCTION: writing user:1?',
		lines: [],
		actionLabel: 'write',
		confirm() {},
	} as const;
	expect(buildStatus({...quiet, dialog: {current: question}}, started + 4000, 'own').text).toBe('own');
	expect(buildStatus({...quiet, dialog: {current: undefined}}, started + 4000, 'own').text).toBe(
		'writing user:1…',
	);
});

test.each([
	['read', 'it continues by itself; esc cancels'],
	['write', 'it continues, also if you leave'],
	[undefined, 'it continues by itself'],
] as const)('a wait for the quota says whole at 80 columns what happens and what esc does: %s', (kind, expectedTail) => {
	const {
		work: {list},
	} = busy;
	const {text, tail} = buildStatus(
		{
			work: {
				list: kind ? list.map(work => ({...work, kind})) : [],
				waits: [
					{
						id: 1,
						why: `The service rejected GET ${'/zones'.repeat(30)}`,
						endsAt: started + 9000,
						isQuota: true,
					},
				],
			},
			messages: {latest: undefined},
		},
		started + 4000,
		'own',
	);
	const [line, ...otherLines] = layOutStatus({text, tail}, {columns: 76, maxLines: 1, shorten: cutEnd});
	expect(line).toMatch(/^The quota is used up until \d\d:\d\d UTC {3}/);
	expect(line?.endsWith(`   ${expectedTail}`)).toBe(true);
	expect(otherLines).toEqual([]);
});

const retiredText = 'the service has retired firewall rules; 3 shows the custom rules, ! still works (pause)';

test.each([
	{
		what: 'a message that fits stays on one line',
		text: 'Copied.',
		tail: undefined,
		maxLines: 3,
		expected: ['Copied.'],
	},
	{
		what: 'a longer one takes another line',
		text: retiredText,
		tail: undefined,
		maxLines: 3,
		expected: ['the service has retired firewall rules; 3 shows the custom', 'rules, ! still works (pause)'],
	},
	{
		what: 'what exceeds all lines is cut',
		text: `${retiredText} ${retiredText}`,
		tail: undefined,
		maxLines: 2,
		expected: [
			'the service has retired firewall rules; 3 shows the custom',
			'rules, ! still works (pause) the service has retired firewa…',
		],
	},
	{
		what: 'the tail is never cut, and ends the last line',
		text: retiredText,
		tail: 'i why',
		maxLines: 1,
		expected: ['the service has retired firewall rules; 3 shows the…   i why'],
	},
])('$what', ({text, tail, maxLines, expected}) => {
	const lines = layOutStatus({text, tail}, {columns: 60, maxLines, shorten: cutEnd});
	expect(lines).toEqual(expected);
});

test.each([
	[60, 'f406ca27…1faa59c   bound as CONFIG by wrangler.toml:2   24 h'],
	[50, 'bound as CONFIG by wrangler.toml:2   24 h'],
])('the status of a screen gives up its id before other words: %i columns', (columns, expected) => {
	const text = 'f406ca271a253d6e7fe341d7a1faa59c   bound as CONFIG by wrangler.toml:2   24 h';
	expect(shortenStatus(text, columns)).toBe(expected);
});
