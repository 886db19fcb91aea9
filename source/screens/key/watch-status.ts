import type {StateWith} from '../../store/ledge-store.ts';
import {formatDuration} from '../../terminal/progress.ts';

/** Formats what is watched on a screen, for its status line: one part, or none. */
export function formatWatchStatus(
	{watch: {active}}: StateWith<'watch', 'active'>,
	screen: 'keys' | 'key',
): readonly string[] {
	if (active?.screen !== screen) return [];
	const time = formatDuration(active.waitMs / 1000);
	const text = active.failure ? `watching: failed, retries after ${time}` : `watching every ${time}`;
	return [active.lastChange === undefined ? text : `${text}: ${active.lastChange}`];
}
