import {Failure} from '../../failure.ts';
import type {HostEvents} from '../../host.ts';

/**
 * Tells when nothing is under way any more though the work has not ended: whoever waits for what never comes would
 * otherwise end in silence, as if all were done. Disposed when the work has ended.
 */
export function watchForStandstill(
	events: Pick<HostEvents, 'once' | 'off'>,
	tell: (failure: Failure) => void,
): Disposable {
	const listener = () =>
		tell(
			new Failure('internal', 'The command stands still: it waits for something that never comes.', {
				why: 'Nothing is under way any more, and it has not come to its end.',
				next: 'What was told so far is so; the rest was not done. Please report it.',
			}),
		);
	events.once('beforeExit', listener);
	return {
		[Symbol.dispose]: () => {
			events.off('beforeExit', listener);
		},
	};
}
