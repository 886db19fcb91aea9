import {expect} from 'vitest';
import {openDrafts} from '../../../source/screens/drafts/actions.ts';
import {appOf} from './drawn.tsx';
import type {TestStore} from './store.ts';

/** What a start does, which opens no dialog, and then U. */
export function offerDrafts(space: TestStore): void {
	space.state().drafts.announce();
	expect(space.state().dialog.current).toBeUndefined();
	if (space.state().drafts.list.length > 0) openDrafts(appOf(space));
}
