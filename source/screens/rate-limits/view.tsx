import type {ReactElement} from 'react';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatRowCount} from '../list/screen.ts';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {rateLimitList, rateLimitsView} from './rate-limits.ts';

export const RateLimits = (): ReactElement => (
	<ListWithDetail {...rateLimitsView} data={useLedge(({rateLimits}) => rateLimits.data)} />
);

/** Formats the count, and that rate limits are read-only. */
export const formatRateLimitsStatus = ({rateLimits: {data}}: StateWith<'rateLimits'>): string =>
	data?.reading === 'read' ? `${formatRowCount(rateLimitList, data, 'rate limit')}   read-only` : '';
