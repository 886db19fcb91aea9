import {listZones, type Zone} from '../../service/zones.ts';
import {cacheZoneNames} from '../../session/listing-cache.ts';
import {buildDashboardLink} from '../../settings/dashboard.ts';
import {resolveAccountId} from '../../settings/settings.ts';
import {formatLinkedTable} from '../../terminal/table.ts';
import {createValueOption, defineCommand} from './declare.ts';

export const zonesCommand = defineCommand({
	usage: 'zones',
	summary: 'list zones',
	example: 'zones --json',
	options: () => [createValueOption('--name <name>', 'only zones with this name')],
	async run(context, {name}) {
		const client = await context.client();
		const accountId = context.options.simulate ? undefined : resolveAccountId(await context.sources())?.value;
		const zones: Zone[] = [];
		const query = {...(name && {name}), ...(accountId && {account: accountId})};
		for await (const zone of listZones(client, query, context.signal)) zones.push(zone);
		if (!name) cacheZoneNames(context.session, client, accountId, zones);
		if (context.output.json) return context.output.writeJson(zones);
		await context.output.writeText(
			formatLinkedTable(
				[
					{
						title: 'NAME',
						cell: zone => zone.name,
						getLink: ({id, name, account}) =>
							buildDashboardLink(client.baseUrl, {id, name, accountId: account.id}),
					},
					{title: 'ID', cell: zone => zone.id},
					{title: 'PLAN', cell: zone => zone.plan},
					{title: 'STATUS', cell: zone => zone.status},
					{title: 'ACCOUNT', cell: zone => zone.account.name},
				],
				zones,
			),
		);
	},
});
