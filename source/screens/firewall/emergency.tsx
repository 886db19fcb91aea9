import type {ReactElement} from 'react';
import {Empty} from '../empty.tsx';

export const Emergency = (): ReactElement => <Empty title="" />;

export const emergencyStatus = (): string => '';
