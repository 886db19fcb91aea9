import type {Link} from '../terminal/links.ts';
import {defaultBaseUrl} from './base-url.ts';

type DashboardZone = {
	readonly id: string;
	/** The id, if the zone could not be read. */
	readonly name: string;
	readonly accountId?: string | undefined;
};

/**
 * Builds the address of a zone's page in the dashboard. Undefined for any service but the default one: the
 * dashboard does not know the zones of a simulated or another service. Without account or name, the dashboard
 * asks for the zone.
 */
export function buildDashboardLink(
	baseUrl: string | undefined,
	{id, name, accountId}: DashboardZone,
	page: '' | '/security/events' = '',
): Link | undefined {
	if (baseUrl !== defaultBaseUrl) return undefined;
	const segments = [accountId ?? '', name === id ? '' : name];
	// A segment of dots would lead elsewhere.
	const isUnknown = segments.some(segment => /^\.{0,2}$/.test(segment));
	const zonePath = isUnknown
		? '?to=/:account/:zone'
		: segments.map(segment => encodeURIComponent(segment.toWellFormed())).join('/');
	return `https://dash.cloudflare.com/${zonePath}${page}`;
}
