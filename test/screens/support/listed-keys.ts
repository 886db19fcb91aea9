import {getActiveFilter} from '../../../source/screens/path.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {createTestStore, type TestStore} from './store.ts';

export const isComplete = ({keys: {data: keys}}: LedgeState) =>
	keys?.listing.state === 'complete' && keys.rows.isDone;
export const isResting = ({keys: {data: keys}}: LedgeState) => keys?.listing.state === 'resting';

/** Lists the names of the key rows and the prefixes of the group rows. */
export const getRowNames = ({keys: {data: keys}}: LedgeState) =>
	Array.from({length: keys?.rows.count ?? 0}, (_, at) => {
		const row = keys?.rows.at(at);
		return row?.kind === 'group' ? row.prefix : row && keys?.index.getName(row.position);
	});

export const getCountsText = ({state}: TestStore) => getActiveFilter(state())?.countsText;

/** Returns the prefixes of the list calls so far, oldest first; undefined for the whole namespace. */
export const listPrefixCalls = ({state}: TestStore): readonly (string | undefined)[] =>
	state()
		.activity.data.rows.filter(({path}) => path.includes('/keys?'))
		.map(({path}) => new URL(path, 'http://service').searchParams.get('prefix') ?? undefined)
		.reverse();

/** Opens a namespace on its screen, and waits for its first page. */
export async function openKeysScreen(testStore: TestStore, title: string): Promise<TestStore> {
	await testStore.openNamespace(title);
	testStore.state().navigation.go('keys');
	await testStore.until(state => isComplete(state) || isResting(state));
	return testStore;
}

export const openCatalogue = async (options?: Parameters<typeof createTestStore>[1]): Promise<TestStore> => {
	const testStore = await openKeysScreen(createTestStore({simulate: true}, options), 'catalogue');
	testStore.state().keys.arrange('flat');
	return testStore;
};
