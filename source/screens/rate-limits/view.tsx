import type {ReactElement} from 'react';
import type {Has} from '../../store/ledge-store.ts';
import {countRows} from '../list/screen.ts';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {rateLimitList, rateLimitsView} from './rate-limits.ts';

export const RateLimits = (): ReactElement => (
	<ListWithDetail {...rateLimitsView} data={useLedge(({rateLimits}) => rateLimits.data)} />
);

/** Formats the count, and that rate limits are read-only. */
export const formatRateLimitsStatus = ({rateLimits: {data}}: Has<'rateLimits'>): string =>
	data?.reading === 'read' ? `${countRows(rateLimitList, data, 'rate limit')}   read-only` : '';
