import {expect} from 'vitest';
import {openDrafts} from '../../../source/screens/drafts/actions.ts';
import {createTestApp} from './drawn.tsx';
import type {TestStore} from './store.ts';

/** Announces the drafts as a start does, which opens no dialog, and opens them as U does. */
export function offerDrafts(testStore: TestStore): void {
	testStore.state().drafts.announce();
	expect(testStore.state().dialog.current).toBeUndefined();
	if (testStore.state().drafts.list.length > 0) openDrafts(createTestApp(testStore));
}
