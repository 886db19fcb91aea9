import {expect} from 'vitest';
import {openDrafts} from '../../../source/screens/drafts/actions.ts';
import {createTestApp} from './drawn.tsx';
import type {TestStore} from './store.ts';

/** Announces the drafts as a start does, which opens no dialog, and opens them as U does. */
export function offerDrafts(space: TestStore): void {
	space.state().drafts.announce();
	expect(space.state().dialog.current).toBeUndefined();
	if (space.state().drafts.list.length > 0) openDrafts(createTestApp(space));
}
