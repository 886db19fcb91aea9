import {formatEventAction} from '../../analytics/event-words.ts';
import type {Link} from '../../terminal/links.ts';
import {buildNamedRows, buildVerbatimNamedRows, type Row} from '../rows/rows.ts';
import {type EventsState, eventList} from './state.ts';

/** Formats a time to the second: `2026-11-23 15:20:01 UTC`. */
const formatEventTime = (moment: number): string =>
	`${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Builds the details of the event under the cursor, wrapped to `columns`. The ray id opens `page`, if given. */
export function buildEventRows(state: EventsState, columns: number, page?: Link): readonly Row[] {
	const row = eventList.getSelected(state);
	if (row?.kind !== 'event') return [];
	const {at, action, ray, method, host, path, query, address, country, network, agent} = row.event;
	const {rule} = row;
	const buildOptionalFact = (name: string, text: string | undefined, link?: Link): readonly Row[] =>
		text === undefined || text === '' ? [] : buildVerbatimNamedRows(name, text, columns, link);
	return [
		...buildNamedRows('time', formatEventTime(at), columns),
		...buildNamedRows('action', formatEventAction(action), columns, 'head'),
		...buildNamedRows('rule', rule?.name ?? (rule?.id === undefined ? undefined : 'name unknown'), columns),
		...buildOptionalFact('rule id', rule?.id),
		...buildNamedRows('source', rule?.source, columns),
		...buildNamedRows('ruleset', rule?.ruleset && (rule.ruleset.name ?? rule.ruleset.id), columns),
		...buildOptionalFact('request', [method, `${host ?? ''}${path ?? ''}`].filter(Boolean).join(' ')),
		...buildOptionalFact('query', query),
		...buildOptionalFact('address', address),
		...buildNamedRows('country', country, columns),
		...buildNamedRows('network', network === undefined ? undefined : `AS${network}`, columns),
		...buildOptionalFact('agent', agent),
		...buildOptionalFact('ray', ray, page),
	];
}
