import type {Client} from './client.ts';
import {isRecord} from './envelope.ts';
import {pagedItems} from './paging.ts';
import {type Plan, planOf} from './plan.ts';
import {readResult} from './read-result.ts';
import {malformed, optionalText, text} from './reading.ts';

export type Zone = {
	readonly id: string;
	readonly name: string;
	readonly status: string;
	/** The service's name: "Pro Plan", "Enterprise Website". */
	readonly plan: string;
	/** Parsed plan; undefined if unknown. */
	readonly level: Plan | undefined;
	readonly account: {readonly id: string; readonly name: string};
};

/** Lists the zones that the credential can see, all or those of one name, 50 per page. */
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
			one: 'a zone',
			read: readZone,
		},
		signal,
	);

/** Reads a zone by id. The service refuses a missing zone and an invisible one alike. */
export async function zoneById(client: Client, id: string, signal: AbortSignal): Promise<Zone> {
	const result = await readResult(client, {path: `/zones/${encodeURIComponent(id)}`}, signal);
	if (!isRecord(result)) throw malformed('zone');
	return readZone(result);
}

function readZone(item: Readonly<Record<string, unknown>>): Zone {
	const plan = isRecord(item.plan) ? item.plan : {};
	const account = isRecord(item.account) ? item.account : {};
	const name = optionalText(plan, 'name');
	const legacy = optionalText(plan, 'legacy_id');
	return {
		id: text(item, 'id', 'a zone'),
		name: text(item, 'name', 'a zone'),
		status: optionalText(item, 'status') ?? '',
		plan: name ?? legacy ?? '',
		level: planOf(name, legacy),
		account: {id: optionalText(account, 'id') ?? '', name: optionalText(account, 'name') ?? ''},
	};
}
