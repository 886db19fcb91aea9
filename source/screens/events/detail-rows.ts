import {eventActionInWords} from '../../analytics/event-words.ts';
import {exactFact, fact, type Row} from '../rows/rows.ts';
import {type EventsState, eventList} from './state.ts';

/** Formats a time to the second: `2026-11-23 15:20:01 UTC`. */
export const momentText = (moment: number): string =>
	`${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Builds the details of the event under the cursor, wrapped to `columns`. */
export function eventRows(state: EventsState, columns: number): readonly Row[] {
	const row = eventList.selected(state);
	if (row?.kind !== 'event') return [];
	const {at, action, ray, method, host, path, query, address, country, network, agent} = row.event;
	const {rule} = row;
	const known = (name: string, text: string | undefined): readonly Row[] =>
		text === undefined || text === '' ? [] : exactFact(name, text, columns);
	return [
		...fact('time', momentText(at), columns),
		...fact('action', eventActionInWords(action), columns, 'head'),
		...fact('rule', rule?.name ?? (rule?.id === undefined ? undefined : 'name unknown'), columns),
		...known('rule id', rule?.id),
		...fact('source', rule?.of, columns),
		...fact('ruleset', rule?.ruleset && (rule.ruleset.name ?? rule.ruleset.id), columns),
		...known('request', [method, `${host ?? ''}${path ?? ''}`].filter(Boolean).join(' ')),
		...known('query', query),
		...known('address', address),
		...fact('country', country, columns),
		...fact('network', network === undefined ? undefined : `AS${network}`, columns),
		...known('agent', agent),
		...known('ray', ray),
	];
}
