import {Failure} from '../../failure.ts';
import type {HostEvents} from '../../host.ts';

/**
 * Reports a failure if the event loop is empty before the work has ended: a command that awaits a promise
 * that never settles would otherwise exit silently, as if it were done. Dispose it when the work has ended.
 */
export function watchForStandstill(
	events: Pick<HostEvents, 'once' | 'off'>,
	report: (failure: Failure) => void,
): Disposable {
	const listener = () =>
		report(
			new Failure('internal', 'The command is stuck: it is waiting for something that will never happen.', {
				why: 'Nothing is running, but the command has not ended.',
				next: 'Everything printed so far is correct; the rest was not done. Please report this.',
			}),
		);
	events.once('beforeExit', listener);
	return {
		[Symbol.dispose]: () => {
			events.off('beforeExit', listener);
		},
	};
}
