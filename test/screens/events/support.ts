import {dispatch} from '../../../source/screens/dispatch.ts';
import {openEvents} from '../../../source/screens/events/opening.ts';
import type {ZoneWithLabel} from '../../../source/screens/firewall/state.ts';
import {getScreenPath} from '../../../source/screens/path.ts';
import {migrated} from '../support/custom-rules.ts';
import {appOf} from '../support/drawn.tsx';
import {createTestStore, type TestStore} from '../support/store.ts';

/** The middle of a working day. */
export const noon = Date.UTC(2026, 10, 23, 12);

const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

export const space = (faults = ''): TestStore =>
	createTestStore({simulate: true}, {at: noon, ...(faults !== '' && {faults})});

/** A person at the security events of a zone, the migrated one unless another is named. */
export async function atEvents(of: TestStore = space(), zone: ZoneWithLabel = migrated) {
	const {state} = of;
	const app = appOf(of);
	await state().connection.loadConnection();
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	/** Ends when nothing is under way. */
	const idle = async () => {
		await new Promise(resolve => setImmediate(resolve));
		await of.until(({work: {list: work}}) => work.length === 0);
		await new Promise(resolve => setImmediate(resolve));
	};
	const queries = () => of.simulator.calls.list().filter(({path}) => path.endsWith('/graphql'));
	const events = () => {
		const now = state().events.data;
		if (!now) throw new Error('No zone is open.');
		return now;
	};
	openEvents(app, zone);
	await idle();
	return {
		of,
		app,
		state,
		press,
		idle,
		queries,
		events,
		crumbs: () => getScreenPath(state()),
		said: () => state().messages.latest?.text ?? '',
	};
}
