import type {CallEvents} from '../../service/call.ts';
import {maxAttempts} from '../../service/retries.ts';
import type {Output} from '../../terminal/output.ts';

/** Reports the client's events as lines on stderr: calls with `--verbose`, waits always. */
export function createCallReporter(output: Output): Pick<CallEvents, 'record' | 'waiting'> {
	return {
		record({method, path, status, milliseconds, attempt, failed, ray, sentBytes, receivedBytes}) {
			const outcome = status === undefined ? (failed ?? 'failed') : String(status);
			const details = [
				`${Math.round(milliseconds)} ms`,
				`${sentBytes} B sent`,
				`${receivedBytes} B received`,
				...(attempt > 1 ? [`attempt ${attempt}`] : []),
				...(ray ? [`ray ${ray}`] : []),
			];
			output.trace(`${method} ${path} → ${outcome} (${details.join(', ')})`);
		},
		waiting({milliseconds, why, attempt, signal}) {
			const retryNote = attempt === undefined ? undefined : `retrying (${attempt} of ${maxAttempts})`;
			output.wait(why, milliseconds, signal, retryNote);
		},
	};
}
