import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {actions} from '../../../source/screens/actions.ts';
import {eventList} from '../../../source/screens/events/state.ts';
import {listVisibleFilters, listVisibleRules} from '../../../source/screens/firewall/list.ts';
import {buildJobRows, listVisibleJobs} from '../../../source/screens/jobs/slice.ts';
import {allKeys} from '../../../source/screens/keys/chosen-keys.ts';
import {leftBehindList} from '../../../source/screens/left-behind/slice.ts';
import {getActiveFilter} from '../../../source/screens/path.ts';
import {rateLimitList} from '../../../source/screens/rate-limits/state.ts';
import {getListedRules} from '../../../source/screens/rulesets/rule-list.ts';
import {hitList} from '../../../source/screens/search/state.ts';
import {getInputContext, isActionActive} from '../../../source/screens/shell/action.ts';
import type {Action} from '../../../source/screens/shell/app.ts';
import type {ScreenDefinition} from '../../../source/screens/shell/screen.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {screens} from '../../../source/store/screens.ts';
import {migratedSampleZone, openMigratedCustomRules} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {saveBackupOfMigrated} from '../support/left-behind.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type List = {
	readonly open: (testStore: TestStore) => Promise<void>;
	/** Leaves some of the rows, and not all. */
	readonly filter: string;
	/** The names by which an action refers to the shown rows, and to all rows. */
	readonly shown: (state: LedgeState) => readonly string[];
	readonly all: (state: LedgeState) => readonly string[];
};

const filterRows = <Row>(rows: readonly Row[], getTexts: (row: Row) => readonly string[], filter: string) =>
	rows.filter(row => getTexts(row).some(text => text.toLowerCase().includes(filter)));

const listKeyNames = ({keys: {data: keys}}: LedgeState): readonly string[] =>
	Array.from({length: keys?.index.count ?? 0}, (_, at) => keys?.index.getName(at) ?? '');

async function openKeys(testStore: TestStore): Promise<void> {
	await testStore.openNamespace('SESSIONS');
	testStore.state().navigation.go('namespaces');
	testStore.state().navigation.go('keys');
	testStore.state().keys.listAll();
	await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
}

const listShownKeys = ({keys: {data: keys}}: LedgeState): readonly string[] =>
	Array.from({length: keys?.rows.count ?? 0}, (_, at) => {
		const row = keys?.rows.at(at);
		return row?.kind === 'key' ? (keys?.index.getName(row.position) ?? '') : '';
	});

const lists: Readonly<Record<string, List>> = {
	namespaces: {
		async open(testStore) {
			await testStore.state().namespaces.load('remote', testStore.signal);
			testStore.state().navigation.go('namespaces');
		},
		filter: 'cata',
		shown: ({namespaces: {data: namespaces}}) =>
			filterRows(namespaces.rows, ({title}) => [title], 'cata').map(({id = ''}) => id),
		all: ({namespaces: {data: namespaces}}) => namespaces.rows.map(({id = ''}) => id),
	},
	'keys, as a tree': {open: openKeys, filter: '4', shown: listShownKeys, all: listKeyNames},
	'keys, as a list': {
		async open(testStore) {
			await openKeys(testStore);
			testStore.state().keys.arrange('flat');
		},
		filter: '4',
		shown: listShownKeys,
		all: listKeyNames,
	},
	zones: {
		async open(testStore) {
			await testStore.state().zones.load(testStore.signal);
			testStore.state().navigation.go('zones');
		},
		filter: 'acme-shop',
		shown: ({zones: {data: zones}}) =>
			filterRows(zones.rows, ({name}) => [name], 'acme-shop').map(({id}) => id),
		all: ({zones: {data: zones}}) => zones.rows.map(({id}) => id),
	},
	contexts: {
		async open(testStore) {
			await testStore.state().connection.loadConnection();
			testStore.state().navigation.go('contexts');
			testStore.state().contexts.open();
		},
		filter: 'simul',
		shown: ({contexts: {data: contexts}}) => contexts.rows.map(({key}) => key),
		all: ({contexts: {data: contexts}}) => contexts.rows.map(({key}) => key),
	},
	'firewall rules': {
		async open(testStore) {
			await openShopFirewall(testStore);
			testStore.state().navigation.go('firewall');
		},
		filter: 'chall',
		shown: ({firewall: {data: firewall}}) => (firewall ? listVisibleRules(firewall).map(({id}) => id) : []),
		all: ({firewall: {data: firewall}}) => firewall?.rules.map(({id}) => id) ?? [],
	},
	filters: {
		async open(testStore) {
			await openShopFirewall(testStore);
			testStore.state().navigation.go('firewall');
			testStore.state().firewall.switchSide();
		},
		filter: '192.0.2',
		shown: ({firewall: {data: firewall}}) => (firewall ? listVisibleFilters(firewall).map(({id}) => id) : []),
		all: ({firewall: {data: firewall}}) => firewall?.filters.map(({id}) => id) ?? [],
	},
	'custom rules': {
		open: openMigratedCustomRules,
		filter: 'scrapy',
		shown: ({customRules: {data: customRules}}) =>
			(customRules ? getListedRules(customRules) : [])
				.filter(({expression}) => expression.toLowerCase().includes('scrapy'))
				.map(({id = ''}) => id),
		all: ({customRules: {data: customRules}}) =>
			customRules ? getListedRules(customRules).map(({id = ''}) => id) : [],
	},
	'rate limits': {
		async open({state, signal}) {
			state().rateLimits.open(migratedSampleZone);
			await state().rateLimits.load(signal);
			state().navigation.go('rateLimits');
		},
		filter: 'login',
		shown: ({rateLimits: {data: rateLimits}}) =>
			rateLimits ? rateLimitList.listVisible(rateLimits).map(({id = ''}) => id) : [],
		all: ({rateLimits: {data: rateLimits}}) => rateLimits?.rows.map(({id = ''}) => id) ?? [],
	},
	'security events': {
		async open({state, signal}) {
			state().events.open(migratedSampleZone);
			await state().events.load(signal);
			state().navigation.go('events');
		},
		filter: 'sqli',
		shown: ({events: {data: events}}) =>
			events ? eventList.listVisible(events).map(({rule}) => rule?.id ?? '') : [],
		all: ({events: {data: events}}) => events?.rows.map(({rule}) => rule?.id ?? '') ?? [],
	},
	'hits of a search': {
		async open(testStore) {
			await openKeys(testStore);
			const keys = testStore.state().keys.data;
			if (!keys) throw new Error('No namespace is open.');
			const {namespace} = keys;
			testStore.state().navigation.go('search');
			await testStore
				.state()
				.search.begin({namespace, keys: allKeys, total: undefined, pattern: '1', mode: 0});
		},
		filter: '77',
		shown: ({search: {data: search}}) => (search ? hitList.listVisible(search).map(({key}) => key) : []),
		all: ({search: {data: search}}) => search?.rows.map(({key}) => key) ?? [],
	},
	'left behind': {
		async open(testStore) {
			const {state, signal} = testStore;
			await saveBackupOfMigrated(testStore);
			state().managed.open(migratedSampleZone);
			await state().managed.load(signal);
			state().navigation.go('managed');
			state().leftBehind.open(migratedSampleZone);
			await state().leftBehind.load(signal);
			state().navigation.go('leftBehind');
		},
		filter: 'bypass',
		shown: ({leftBehind: {data: leftBehind}}) =>
			leftBehind ? leftBehindList.listVisible(leftBehind).map(({leftover: {id}}) => id) : [],
		all: ({leftBehind: {data: leftBehind}}) => leftBehind?.rows.map(({leftover: {id}}) => id) ?? [],
	},
	versions: {
		async open(testStore) {
			await openMigratedCustomRules(testStore);
			const customRules = testStore.state().customRules.data;
			if (!customRules?.ruleset) throw new Error('There are no custom rules.');
			testStore.state().versions.open({
				zone: customRules.zone,
				ruleset: customRules.ruleset,
				rulesNoun: 'custom rules',
				describeRule: ({action}) => action,
				getBlockedReason: () => undefined,
				restore() {},
			});
			testStore.state().navigation.go('versions');
			await testStore.state().versions.load(testStore.signal);
			testStore.store.setState(({versions: {data: versions}}) => ({
				versions: {
					...testStore.store.getState().versions,
					data: versions && {
						...versions,
						rows: versions.rows.map((row, at) => ({...row, last_updated: at === 0 ? 'today' : 'yesterday'})),
					},
				},
			}));
		},
		filter: 'yester',
		shown: ({versions: {data: versions}}) =>
			versions
				? filterRows(versions.rows, ({last_updated: made = ''}) => [made], 'yester').map(
						({version}) => version,
					)
				: [],
		all: ({versions: {data: versions}}) => versions?.rows.map(({version}) => version) ?? [],
	},
	jobs: {
		async open(testStore) {
			const jobs = ['6e23b63489e7241c0d871b10a397cebb', 'd0e032749968114a09730950255c7c0f'].map(id => ({
				id,
				path: `${testStore.folder}/${id}`,
				holder: undefined,
				failure: new Failure('internal', `The journal of ${id} is damaged.`),
			}));
			testStore.store.setState(state => ({
				jobs: {
					...testStore.store.getState().jobs,
					data: {...state.jobs.data, reading: 'read', recordedJobs: jobs},
				},
			}));
			testStore.state().navigation.go('jobs');
		},
		filter: '6e23b6',
		shown: state => listVisibleJobs(state).map(({id}) => id),
		all: state => buildJobRows(state).map(({id}) => id),
	},
	activity: {
		async open(testStore) {
			await testStore.state().namespaces.load('remote', testStore.signal);
			await testStore.state().zones.load(testStore.signal);
			testStore.state().navigation.go('activity');
		},
		filter: 'storage',
		shown: ({
			activity: {
				data: {rows: calls},
			},
		}) => filterRows(calls, ({path}) => [path], 'storage').map(({curl}) => curl),
		all: ({
			activity: {
				data: {rows: calls},
			},
		}) => calls.map(({curl}) => curl),
	},
};

async function openFilteredList(name: string): Promise<TestStore & {readonly hidden: readonly string[]}> {
	const list = lists[name];
	if (!list) throw new Error(`There is no list ${name}.`);
	const testStore = createTestStore();
	await testStore.state().connection.loadConnection();
	await list.open(testStore);
	testStore.state().dialog.filter(list.filter);
	const shown = new Set(list.shown(testStore.state()));
	return {...testStore, hidden: list.all(testStore.state()).filter(one => !shown.has(one))};
}

/** The message, the dialog and what was copied, as one text. */
function collectOutput(state: LedgeState, copied: readonly string[]): string {
	const dialog = state.dialog.current;
	const message = state.messages.latest;
	return JSON.stringify([message?.text, dialog, copied], (key, value) =>
		typeof value === 'function' || key === 'buffer' ? undefined : value,
	);
}

const isPossible = (action: Action, state: LedgeState): boolean =>
	isActionActive(action, getInputContext(state), state) && action.getUnavailableReason?.(state) === undefined;

/** Actions that can affect the whole list, and how they have to say so. */
const wholeListWordings: Readonly<Record<string, RegExp>> = {
	'keys.select-all': /selected: the \d+ keys shown, of 480/,
	'keys.export': /The \d+ keys shown.*All 480 keys in the namespace, not just the \d+ shown/,
	'keys.copy-to': /The \d+ keys shown.*All 480 keys in the namespace, not just the \d+ shown/,
	'keys.compare': /The \d+ keys shown.*All 480 keys in the namespace, not just the \d+ shown/,
};

const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** The simulated service has a single context. */
const hasOneRow = (name: string): boolean => name === 'contexts';

describe.each(Object.keys(lists))('%s', name => {
	test('the header has the filter and its number of matches', async () => {
		const testStore = await openFilteredList(name);
		expect(testStore.hidden.length > 0).toBe(!hasOneRow(name));
		const {text, countsText} = getActiveFilter(testStore.state()) ?? {};
		expect(text).toBe(lists[name]?.filter);
		expect(countsText).toMatch(/^\d+ of \d+/);
		testStore.state().dialog.filter('');
		expect(getActiveFilter(testStore.state())).toBeUndefined();
	});

	test('the filter stays while another screen is open in front, and is forgotten when opened anew', async () => {
		const {state} = await openFilteredList(name);
		const screen = getCurrentScreen(state());
		const getText = () => screens[screen].filter?.getText(state());
		state().navigation.go('metrics');
		state().navigation.back();
		expect(getText()).toBe(lists[name]?.filter);
		// The keys are closed instead, with their filter.
		if (screen === 'keys') return;
		state().navigation.openFromHome();
		state().navigation.go(screen);
		expect(getText()).toBe('');
	});

	test('every action affects the visible rows, and says so if it affects all', async () => {
		const firstStore = await openFilteredList(name);
		const screenActions = actions.filter(
			action => action.where !== 'everywhere' && !action.isMove && isPossible(action, firstStore.state()),
		);
		expect(screenActions.map(({id}) => id)).toContain(
			screenActions.find(({id}) => id.endsWith('.filter'))?.id,
		);
		for (const {id} of screenActions) {
			const testStore = await openFilteredList(name);
			const action = actions.find(one => one.id === id);
			const app = createTestApp(testStore);
			action?.run(app, {name: action.keys[0] ?? '', text: '', sequence: ''});
			const output = collectOutput(testStore.state(), app.copied);
			const isNamed = (one: string) => output.includes(isId(one) ? one : `"${one}"`);
			expect(testStore.hidden.filter(isNamed), `${id} is about what is hidden`).toEqual([]);
			const wording = wholeListWordings[id];
			if (wording) expect(output, id).toMatch(wording);
		}
	});
});

test('every screen with a filter and a view of its own is in the table', async () => {
	const coveredScreens = await Promise.all(
		Object.keys(lists).map(async name => getCurrentScreen((await openFilteredList(name)).state())),
	);
	// Lists that only describe their view share the code that the rate limits and versions test. The search in
	// a value and in a comparison filters no rows.
	const coveredElsewhere = ['key', 'compare'];
	const missing = Object.entries<ScreenDefinition & {readonly view?: unknown}>(screens).flatMap(
		([screen, {filter, view}]) => (filter && !view ? [screen] : []),
	);
	expect(
		missing.filter(screen => ![...coveredScreens, ...coveredElsewhere].includes(screen)),
		'Add the list to `lists` in test/screens/shell/filtered-lists.test.ts.',
	).toEqual([]);
});

describe('a selection with a filter', () => {
	async function selectAllAndFilter() {
		const testStore = await openFilteredList('keys, as a list');
		testStore.state().keys.filter('');
		testStore.state().keys.toggleShownSelection();
		testStore.state().keys.filter('4');
		return {testStore, app: createTestApp(testStore)};
	}

	const run = (id: string, app: ReturnType<typeof createTestApp>) =>
		actions.find(one => one.id === id)?.run(app, {name: '', text: '', sequence: ''});

	test.each([
		'keys.export',
		'keys.compare',
		'keys.copy-to',
	])('offers %s for its visible part first', async id => {
		const {testStore, app} = await selectAllAndFilter();
		run(id, app);
		const dialog = testStore.state().dialog.current;
		expect(dialog).toMatchObject({
			kind: 'choice',
			choices: [
				{label: 'The 84 selected keys shown'},
				{label: 'The 480 selected keys, 396 of them hidden by the filter'},
				{label: 'The 84 keys shown'},
				{},
			],
		});
	});

	test('is deleted in full only after a question, and hidden keys stay otherwise', async () => {
		const {testStore, app} = await selectAllAndFilter();
		run('keys.delete-selected', app);
		const dialog = testStore.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('It is not asked.');
		expect(dialog.choices.map(({label}) => label)).toEqual([
			'The 84 selected keys shown',
			'All 480 selected keys, 396 of them hidden by the filter',
		]);
		dialog.choose('shown');
		expect(testStore.state().dialog.current).toMatchObject({
			kind: 'confirm',
			title: 'Delete 84 selected keys from SESSIONS?',
		});
	});
});
