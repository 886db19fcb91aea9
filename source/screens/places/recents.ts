import type {Recent} from '../../state/recent.ts';

/** Formats a recent namespace or zone. Unescaped data. */
export function formatRecent(recent: Recent): string {
	if (recent.kind === 'zone') return `zone ${recent.name}`;
	const local = recent.where === 'local' ? ' (local)' : '';
	return `${recent.title}${local}${recent.filter === '' ? '' : ` /${recent.filter}`}`;
}
