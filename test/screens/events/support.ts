import {dispatch} from '../../../source/screens/dispatch.ts';
import {openEvents} from '../../../source/screens/events/opening.ts';
import {getScreenPath} from '../../../source/screens/path.ts';
import type {ZoneWithLabel} from '../../../source/screens/shell/zone-with-label.ts';
import {migratedSampleZone} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

/** The middle of a working day. */
export const noon = Date.UTC(2026, 10, 23, 12);

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

export const createEventsStore = (faults = ''): TestStore =>
	createTestStore({simulate: true}, {fixedTime: noon, ...(faults !== '' && {faults})});

/** Opens the security events of a zone, by default the migrated one, and returns what a user does there. */
export async function openEventsScreen(
	testStore: TestStore = createEventsStore(),
	zone: ZoneWithLabel = migratedSampleZone,
) {
	const {state} = testStore;
	const app = createTestApp(testStore);
	await state().connection.loadConnection();
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	/** Waits until no work is in progress. */
	const waitForIdle = async () => {
		await new Promise(resolve => setImmediate(resolve));
		await testStore.until(({work: {list: work}}) => work.length === 0);
		await new Promise(resolve => setImmediate(resolve));
	};
	const listQueries = () => testStore.simulator.calls.list().filter(({path}) => path.endsWith('/graphql'));
	const getEvents = () => {
		const eventsState = state().events.data;
		if (!eventsState) throw new Error('No zone is open.');
		return eventsState;
	};
	openEvents(app, zone);
	await waitForIdle();
	return {
		testStore,
		app,
		state,
		press,
		idle: waitForIdle,
		queries: listQueries,
		events: getEvents,
		getPath: () => getScreenPath(state()),
		getMessage: () => state().messages.latest?.text ?? '',
	};
}
