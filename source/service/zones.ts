import type {Client} from './client.ts';
import {isRecord} from './envelope.ts';
import {pagedItems} from './paging.ts';
import {optionalText, readList, text} from './reading.ts';

export type Zone = {
	readonly id: string;
	readonly name: string;
	readonly status: string;
	/** As the service names it: "Pro Plan", "Enterprise Website". */
	readonly plan: string;
	readonly account: {readonly id: string; readonly name: string};
};

/** The zones that the credential can see, all of them or those of one name (service-contract.md 9); 50 a page. */
export const zones = (
	client: Client,
	query: {readonly name?: string; readonly account?: string},
	signal: AbortSignal,
): AsyncGenerator<Zone> =>
	pagedItems(
		client,
		{
			path: '/zones',
			query: {name: query.name, 'account.id': query.account},
			perPage: 50,
			read: result => readList(result, 'a zone', readZone),
			id: zone => zone.id,
		},
		signal,
	);

function readZone(item: Readonly<Record<string, unknown>>): Zone {
	const plan = isRecord(item.plan) ? item.plan : {};
	const account = isRecord(item.account) ? item.account : {};
	return {
		id: text(item, 'id', 'a zone'),
		name: text(item, 'name', 'a zone'),
		status: optionalText(item, 'status') ?? '',
		plan: optionalText(plan, 'name') ?? optionalText(plan, 'legacy_id') ?? '',
		account: {id: optionalText(account, 'id') ?? '', name: optionalText(account, 'name') ?? ''},
	};
}
