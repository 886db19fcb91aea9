import type {ReactElement} from 'react';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatRowCount} from '../list/screen.ts';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {versionList, versionsView} from './versions.ts';

export const Versions = (): ReactElement => (
	<ListWithDetail {...versionsView} data={useLedge(({versions}) => versions.data)} />
);

export const formatVersionsStatus = ({versions: {data}}: StateWith<'versions'>): string =>
	formatRowCount(versionList, data, 'version');
