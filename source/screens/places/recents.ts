import type {Recent} from '../../state/recent.ts';

/** A namespace or zone that was open lately, in a line. Data as it is. */
export function recentName(recent: Recent): string {
	if (recent.kind === 'zone') return `zone ${recent.name}`;
	const local = recent.where === 'local' ? ' (local)' : '';
	return `${recent.title}${local}${recent.filter === '' ? '' : ` /${recent.filter}`}`;
}
