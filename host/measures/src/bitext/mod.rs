//! Scores of bitext mining: how often the nearest sentence is the translation.
